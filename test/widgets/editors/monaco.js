// Monaco: a small program; its own interface is public, as where it is loaded by a script tag.
import * as monaco from 'monaco-editor/editor/editor.api.js';
import { record } from '../record.js';

window.monaco = monaco;
window.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) };
const root = document.getElementById('root');
root.innerHTML = '<div id="code" style="width: 600px; height: 200px"></div>';
const editor = monaco.editor.create(document.getElementById('code'), { value: 'a = 1\nb = 2\n', language: 'plaintext', ariaLabel: 'Program' });
editor.onDidChangeModelContent(() => record({ code: editor.getValue() }));
