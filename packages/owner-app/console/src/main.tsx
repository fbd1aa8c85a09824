import { render } from 'preact';
import { finishSignIn } from './api/client.ts';
import { App } from './app.tsx';
import { followTheme } from './state/theme.ts';
import './styles/base.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/records.css';

followTheme();
const place = document.getElementById('app');
await finishSignIn();
if (place) render(<App />, place);
