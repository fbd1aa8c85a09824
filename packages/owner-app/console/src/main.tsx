import { render } from 'preact';
import { App } from './app.tsx';
import './state/theme.ts';
import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/records.css';

const place = document.getElementById('app');
if (place) render(<App />, place);
