#!/usr/bin/env node
// This file is committed because npm links the command when the package is installed, which is before `dist` is built.
import '../dist/app/main.js';
