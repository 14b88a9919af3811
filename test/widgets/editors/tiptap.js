// TipTap: a rich editor with a small toolbar.
import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { record } from '../record.js';

document.getElementById('root').innerHTML =
  '<button id="bold">Bold</button> <button id="list">Bullet list</button><div id="editor" style="border: 1px solid #999; padding: 8px"></div>';
const editor = new Editor({
  element: document.getElementById('editor'),
  extensions: [StarterKit],
  content: '<p>Dear reader</p>',
  editorProps: { attributes: { role: 'textbox', 'aria-label': 'Letter', 'aria-multiline': 'true' } },
  onUpdate: () => record({ text: editor.getText({ blockSeparator: '\n' }), html: editor.getHTML() }),
});
document.getElementById('bold').onclick = () => editor.chain().focus().toggleBold().run();
document.getElementById('list').onclick = () => editor.chain().focus().toggleBulletList().run();
