// Check, uncheck, focus, and upload of files into a file field.
import { Failure } from '../../errors.ts';
import { type Phrase, phrase } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { fieldOf, waitUntilActionable } from './actionability.ts';
import { clickOn } from './click.ts';
import { act, type Effects } from './effects.ts';
import { toggle } from './fill.ts';

export interface FormInput {
  selector: string;
  force?: boolean;
  frameId?: number | undefined;
}

export interface FormDone extends Effects {
  element: string | Phrase;
}

export async function setCheck(tab: Tab, input: FormInput, wanted: boolean, limits: Limits): Promise<FormDone> {
  const element = await resolve(tab, input.selector, input.frameId, limits);
  const { effects } = await act(tab, limits, () => toggle(element, wanted, input.force === true, limits));
  return { element: element.label, ...effects };
}

export async function focus(tab: Tab, input: FormInput, limits: Limits): Promise<FormDone> {
  const element = await resolve(tab, input.selector, input.frameId, limits);
  const { effects } = await act(tab, limits, async () => {
    await waitUntilActionable(element, { enabled: true }, limits);
    if (!(await element.call(limits, 'focusOn')))
      throw new Failure(
        'not_actionable',
        phrase`${element.label} does not take the focus.`,
        'Only fields, links, buttons and elements with a tabindex do.',
      );
  });
  return { element: element.label, ...effects };
}

/** Puts files, by their paths, into a file field; or into the chooser that a button opens. */
export async function setFiles(tab: Tab, input: FormInput, paths: string[], limits: Limits): Promise<FormDone> {
  const element = await resolve(tab, input.selector, input.frameId, limits);
  const field = await fieldOf(element, limits);
  if (field.kind === 'file' && !field.multiple && paths.length > 1) throw onlyOne(element, paths);
  const { effects } = await act(tab, limits, async () => {
    if (field.kind !== 'file') return chooserFiles(element, paths, limits);
    const objectId = await element.object(limits);
    await tab.send(limits, element.spot.wire, 'DOM.setFileInputFiles', { files: paths, objectId });
  });
  return { element: element.label, ...effects };
}

const onlyOne = (element: Element, paths: string[]): Failure =>
  new Failure('bad_input', phrase`${element.label} takes one file, not ${paths.length}.`, 'Give one file.');

async function chooserFiles(element: Element, paths: string[], limits: Limits): Promise<void> {
  const { tab } = element;
  const chooser = tab.page.waitForEvent('filechooser', { timeout: 3_000 }).catch(() => undefined);
  await clickOn(element, { button: 'left', count: 1, modifiers: 0 }, false, limits);
  const opened = await tab.race(limits, chooser);
  if (!opened)
    throw new Failure(
      'bad_input',
      phrase`${element.label} is not a file field and opened no file chooser.`,
      'Give the file field itself.',
    );
  if (!opened.isMultiple() && paths.length > 1) throw onlyOne(element, paths);
  await tab.race(limits, opened.setFiles(paths));
}
