import { render } from 'preact';
import { App } from './shell/app.js';

const root = document.querySelector('#console');
if (root !== null) render(<App />, root);
