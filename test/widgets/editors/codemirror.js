// CodeMirror 6 with JavaScript.
import { javascript } from '@codemirror/lang-javascript';
import { basicSetup, EditorView } from 'codemirror';
import { record } from '../record.js';

const view = new EditorView({
  doc: 'const a = 1;\nconst b = 2;\n',
  extensions: [basicSetup, javascript(), EditorView.updateListener.of(() => record({ code: view.state.doc.toString() }))],
  parent: document.getElementById('root'),
});
