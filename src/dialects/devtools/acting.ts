// The tools that act on elements and answer dialogs.
import type { DialectTool } from '../definition.ts';
import { choice, element, flag, object, onPage, text, uid } from './arguments.ts';
import { answered, done, uploaded } from './words.ts';

const content = ['content'] as const;

export const click: DialectTool = {
  summary: 'Click an element, once or twice.',
  takes: { uid, dblClick: flag('true: a double click') },
  required: ['uid'],
  includes: content,
  cases: [
    { when: { dblClick: true }, to: 'dblclick', args: { selector: element('uid'), ...onPage } },
    { to: 'click', args: { selector: element('uid'), ...onPage } },
  ],
  says: facts =>
    done(`Successfully ${Object(facts.given).dblClick === true ? 'double clicked' : 'clicked'} on the element`)(facts),
};

export const drag: DialectTool = {
  summary: 'Drag an element onto another one.',
  takes: { from_uid: text('The uid of what is dragged'), to_uid: text('The uid of where it is dropped') },
  required: ['from_uid', 'to_uid'],
  includes: content,
  cases: [{ to: 'drag', args: { source: element('from_uid'), target: element('to_uid'), ...onPage } }],
  says: done('Successfully dragged an element'),
};

export const fill: DialectTool = {
  summary: 'Set a field: type into a text field, choose from a list, set a checkbox by true or false.',
  takes: { uid, value: text('What to put in; for a list, the label of an option') },
  required: ['uid', 'value'],
  includes: content,
  cases: [{ to: 'fill', args: { selector: element('uid'), value: 'value', ...onPage } }],
  says: done('Successfully filled out the element'),
};

export const fill_form: DialectTool = {
  summary: 'Set several fields at once.',
  takes: {
    elements: {
      type: 'array',
      items: object({ uid, value: text('What to put in') }),
      description: 'The fields, each with its value',
    },
  },
  required: ['elements'],
  includes: content,
  cases: [
    {
      to: 'fill_form',
      args: { fields: { each: 'elements', args: { selector: element('uid'), value: 'value' } }, ...onPage },
    },
  ],
  says: done('Successfully filled out the form'),
};

export const hover: DialectTool = {
  summary: 'Move the mouse over an element.',
  takes: { uid },
  required: ['uid'],
  includes: content,
  cases: [{ to: 'hover', args: { selector: element('uid'), ...onPage } }],
  says: done('Successfully hovered over the element'),
};

export const upload_file: DialectTool = {
  summary: 'Put a file into a file field, or into the chooser that an element opens.',
  takes: { uid, filePath: text('The file, on the machine of the server') },
  required: ['uid', 'filePath'],
  includes: content,
  cases: [{ to: 'upload', args: { selector: element('uid'), 'files.0': 'filePath', ...onPage } }],
  says: uploaded,
};

export const handle_dialog: DialectTool = {
  summary: 'Answer the open dialog of the page.',
  takes: {
    action: choice(['accept', 'dismiss'], 'What to answer'),
    promptText: text('What to type into a prompt'),
  },
  required: ['action'],
  includes: ['pages'],
  cases: [{ to: 'dialog', args: { action: 'action', prompt_text: 'promptText' } }],
  says: answered,
};
