// The peers, each by the cheapest way that its own tools allow: forms are filled with one call where there is a tool for it, looks come with actions where they can.
import { type After, Agent, type Aimed, groupsOf, heldBy } from './agent.ts';
import { FORMS } from './reading.ts';

/** The answers of actions only point to files with snapshots, so that it looks with a call of its own: for words by `browser_find`. */
export class PlaywrightAgent extends Agent {
  protected readonly form = FORMS.yaml;

  async open(url: string): Promise<void> {
    await this.call('browser_navigate', { url });
    await this.look();
  }

  protected async look(): Promise<void> {
    this.printed = await this.call('browser_snapshot');
  }

  protected override async check(text: string): Promise<void> {
    await this.call('browser_find', { text });
  }

  protected async perform(actions: readonly Aimed[], { see, late, look, page }: After): Promise<void> {
    for (const group of groupsOf(actions)) await this.#do(group);
    if (late) await this.call('browser_wait_for', { text: see });
    if (look || page) await this.look();
  }

  async #do(group: Aimed[]): Promise<void> {
    const [first] = group as [Aimed];
    const target = first.ref;
    if (group.length > 1) await this.call('browser_fill_form', { fields: group.map(fieldOf) });
    else if ('fill' in first) await this.call('browser_type', { target, text: first.with });
    else if ('select' in first) await this.call('browser_select_option', { target, values: [first.option] });
    else if ('upload' in first) {
      // It is given to the chooser that the click has opened.
      await this.call('browser_click', { target });
      await this.call('browser_file_upload', { paths: [first.file] });
    } else await this.call('browser_click', { target });
  }
}

function fieldOf(action: Aimed): Record<string, string> {
  const [, role = '', name = ''] = /^(?:([\w-]+) )?"(.*)"$/.exec(Object.values(action)[0] as string) ?? [];
  const type = 'fill' in action ? 'textbox' : 'select' in action ? 'combobox' : role === 'radio' ? 'radio' : 'checkbox';
  return { target: action.ref, name, type, value: String(heldBy(action)) };
}

// Every tool wants the id of a page; the first page of a browser has the id 1.
const pageId = 1;

/** Every action can bring a snapshot along. What the usual one lacks, such as options without focus, a verbose one may have. */
export class ChromeDevtoolsAgent extends Agent {
  protected readonly form = FORMS.uids;
  #hasLooked = false;

  async open(url: string): Promise<void> {
    await this.call('navigate_page', { pageId, url });
    await this.look();
  }

  protected async look(): Promise<void> {
    this.printed = await this.call('take_snapshot', { pageId, ...(this.#hasLooked && { verbose: true }) });
    this.#hasLooked = true;
  }

  protected override async check(): Promise<void> {
    this.printed = await this.call('take_snapshot', { pageId });
  }

  protected async perform(actions: readonly Aimed[], { see, late, look, page }: After): Promise<void> {
    const groups = groupsOf(actions);
    this.#hasLooked = late === true || look === true || page === true || see !== undefined;
    for (const [at, group] of groups.entries()) {
      const isLast = at === groups.length - 1 && !late && (look || page || see !== undefined);
      const answer = await this.#do(group, isLast ? { includeSnapshot: true } : {});
      if (isLast) this.printed = answer;
    }
    if (late) this.printed = await this.call('wait_for', { pageId, text: [see] });
  }

  #do(group: Aimed[], more: { includeSnapshot?: true }): Promise<string> {
    const [first] = group as [Aimed];
    const uid = first.ref;
    if (group.length > 1) {
      const elements = group.map(one => ({ uid: one.ref, value: String(heldBy(one)) }));
      return this.call('fill_form', { pageId, elements, ...more });
    }
    if ('click' in first) return this.call('click', { pageId, uid, ...more });
    if ('upload' in first) return this.call('upload_file', { pageId, uid, filePaths: [first.file], ...more });
    return this.call('fill', { pageId, uid, value: String(heldBy(first)), ...more });
  }
}

/** Words are looked for with the tool that waits for them: its answer is shorter than the words of a page. */
export class AgentBrowserAgent extends Agent {
  protected readonly form = FORMS.yaml;

  async open(url: string): Promise<void> {
    await this.call('agent_browser_open', { url });
    await this.look();
  }

  protected async look(): Promise<void> {
    this.printed = await this.call('agent_browser_snapshot');
  }

  protected override async check(text: string): Promise<void> {
    await this.call('agent_browser_wait_for_text', { text });
    this.latest += text;
  }

  protected async perform(actions: readonly Aimed[], { look, page }: After): Promise<void> {
    for (const action of actions) await this.#do(action);
    if (look || page) await this.look();
  }

  #do(action: Aimed): Promise<string> {
    const selector = `@${action.ref}`;
    if ('fill' in action) return this.call('agent_browser_fill', { selector, text: action.with });
    if ('select' in action) return this.call('agent_browser_select', { selector, values: [action.option] });
    if ('upload' in action) return this.call('agent_browser_upload', { selector, files: [action.file] });
    if ('check' in action) return this.call(`agent_browser_${action.on ? 'check' : 'uncheck'}`, { selector });
    return this.call('agent_browser_click', { selector });
  }
}

type Command = string[];

/** The same with its batch, which has fewer calls and longer answers. */
export class BatchingAgentBrowserAgent extends AgentBrowserAgent {
  override async open(url: string): Promise<void> {
    await this.#send([['open', url], LOOK]);
  }

  protected override async perform(actions: readonly Aimed[], { see, look, page }: After): Promise<void> {
    const words = see === undefined ? [] : [['wait', '--text', see]];
    await this.#send([...actions.map(commandFor), ...words, ...(look || page ? [LOOK] : [])]);
    if (see !== undefined) this.latest += see;
  }

  async #send(commands: Command[]): Promise<void> {
    const answers: { success: boolean; error: unknown; result?: { snapshot?: string } }[] = JSON.parse(
      await this.call('agent_browser_batch', { commands }),
    );
    const failed = answers.find(({ success }) => !success);
    if (failed) throw new Error(`the batch failed: ${JSON.stringify(failed.error)}`);
    const snapshot = answers.at(-1)?.result?.snapshot;
    if (snapshot !== undefined) this.printed = snapshot;
  }
}

const LOOK: Command = ['snapshot', '-i'];

function commandFor(action: Aimed): Command {
  const at = `@${action.ref}`;
  if ('fill' in action) return ['fill', at, action.with];
  if ('select' in action) return ['select', at, action.option];
  if ('upload' in action) return ['upload', at, action.file];
  if ('check' in action) return [action.on ? 'check' : 'uncheck', at];
  return ['click', at];
}
