// Lexical: a plain rich-text field.
import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';
import { record } from '../record.js';

document.getElementById('root').innerHTML =
  '<div id="editor" contenteditable="true" role="textbox" aria-label="Comment" style="border: 1px solid #999; min-height: 80px"></div>';
const editor = createEditor({ onError: error => record({ error: error.message }) });
editor.setRootElement(document.getElementById('editor'));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode('First thought'))));
editor.registerUpdateListener(({ editorState }) => editorState.read(() => record({ text: $getRoot().getTextContent() })));
