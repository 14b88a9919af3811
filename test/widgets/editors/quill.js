// Quill with its own toolbar.
import Quill from 'quill';
import 'quill/dist/quill.snow.css';
import { record } from '../record.js';

document.getElementById('root').innerHTML = '<div id="editor"><p>Draft</p></div>';
const quill = new Quill('#editor', { theme: 'snow' });
quill.on('text-change', () => record({ text: quill.getText().trim(), html: quill.root.innerHTML }));
