// The tools that act on elements and answer dialogs.
import type { Sources, ToolMapping } from '../definition.ts';
import { element, onSnapshotTab } from './sources.ts';
import { actionText, dialogText, uploadText } from './texts.ts';

const sections = ['content'] as const;
const onElement: Sources = { selector: element('uid'), ...onSnapshotTab };

export const input = {
  click: {
    sections,
    cases: [
      { when: { dblClick: true }, tool: 'dblclick', args: onElement },
      { tool: 'click', args: onElement },
    ],
    text: facts => {
      const isDouble = Object(facts.given).dblClick === true;
      return actionText(`Successfully ${isDouble ? 'double clicked' : 'clicked'} on the element`)(facts);
    },
  },
  drag: {
    sections,
    tool: 'drag',
    args: { source: element('from_uid'), target: element('to_uid'), ...onSnapshotTab },
    text: actionText('Successfully dragged an element'),
  },
  fill: {
    sections,
    tool: 'fill',
    args: { ...onElement, value: 'value' },
    text: actionText('Successfully filled out the element'),
  },
  fill_form: {
    sections,
    tool: 'fill_form',
    args: {
      fields: { each: 'elements', args: { selector: element('uid'), value: 'value' } },
      ...onSnapshotTab,
    },
    text: actionText('Successfully filled out the form'),
  },
  hover: { sections, tool: 'hover', args: onElement, text: actionText('Successfully hovered over the element') },
  upload_file: { sections, tool: 'upload', args: { ...onElement, 'files.0': 'filePath' }, text: uploadText },
  handle_dialog: {
    sections: ['pages'],
    tool: 'dialog',
    args: { action: 'action', prompt_text: 'promptText' },
    text: dialogText,
  },
  type_text: {
    sections,
    cases: [
      {
        when: { uid: { is: 'given' } },
        tool: 'fill',
        constants: { clear: false },
        args: { ...onElement, value: ['text', 'value'] },
      },
      { tool: 'type', constants: { delay: 0 }, args: { text: ['text', 'value'] } },
    ],
    text: actionText('Successfully typed the text'),
  },
} as const satisfies Record<string, ToolMapping>;
