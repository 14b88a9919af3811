// Jobs in editors.
import type { Jobs } from '../job.ts';

export const EDITOR_JOBS: Jobs = {
  tiptap: [
    { name: 'write a letter', steps: [{ fill: 'textbox "Letter"', with: 'Dear Ada' }], expect: { text: 'Dear Ada' } },
    {
      name: 'make it bold',
      steps: [{ click: 'textbox "Letter"' }, { press: 'Control+a' }, { click: 'button "Bold"' }],
      expect: { html: '<p><strong>Dear reader</strong></p>' },
    },
    {
      name: 'add a line',
      steps: [{ click: 'textbox "Letter"' }, { press: 'Control+End' }, { press: 'Enter' }, { type: 'Bye' }],
      expect: { text: 'Dear reader\nBye' },
    },
  ],
  quill: [
    { name: 'replace the draft', steps: [{ fill: '"Draft"', with: 'Final text' }], expect: { text: 'Final text' } },
    {
      name: 'make it bold',
      steps: [{ click: '"Draft"' }, { press: 'Control+a' }, { click: 'button "bold"' }],
      expect: { html: '<p><strong>Draft</strong></p>' },
    },
  ],
  lexical: [
    {
      name: 'write a comment',
      steps: [{ fill: 'textbox "Comment"', with: 'Well done' }],
      expect: { text: 'Well done' },
    },
    {
      name: 'add to a comment',
      steps: [{ click: 'textbox "Comment"' }, { press: 'Control+End' }, { type: ' again' }],
      expect: { text: 'First thought again' },
    },
  ],
  codemirror: [
    { name: 'replace the program', steps: [{ fill: 'textbox', with: 'let x = 5' }], expect: { code: 'let x = 5' } },
    {
      name: 'add a line',
      steps: [{ click: 'textbox' }, { press: 'Control+End' }, { type: 'let c' }],
      expect: { code: 'const a = 1;\nconst b = 2;\nlet c' },
    },
  ],
  monaco: [
    {
      name: 'replace the program',
      steps: [{ fill: 'textbox', with: 'if (a) {\n  b()\n}' }],
      expect: { code: 'if (a) {\n  b()\n}' },
    },
    {
      name: 'add a line',
      steps: [{ click: 'textbox' }, { press: 'Control+End' }, { type: 'c = 3' }],
      expect: { code: 'a = 1\nb = 2\nc = 3' },
    },
  ],
};
