#!/usr/bin/env node
// Committed, so that installing a fresh checkout can link the command before anything is built.
import '../dist/main.js';
