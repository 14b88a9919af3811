// Checks whether a call may run: what its caller may do, the rules of the policy, the script rules, those of its dialect.
import { createHash } from 'node:crypto';
import type { Dialect } from '../dialects/dialect.ts';
import { touched } from '../engine/files.ts';
import type { UrlJudge } from '../engine/limits.ts';
import { Failure, refusedBy } from '../errors.ts';
import {
  type CallFacts,
  type Decision,
  decide,
  type Effect,
  missingPermission,
  type Permissions,
  type Policy,
} from '../policy/decide.ts';
import { checkScripts } from '../policy/scripts.ts';
import { foldersOf, isOwner } from '../session/callers.ts';
import type { JournalRecord } from '../session/journal.ts';
import type { Server } from '../session/server.ts';
import { calledTool, phrase, toolName } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';
import { type Touches, touchesOf } from '../tools/touches.ts';
import type { Call, Question } from './message.ts';
import { questionAbout } from './shown-arguments.ts';
import type { Input } from './validate.ts';

/** A call that would like to run. */
export interface Candidate {
  call: Call;
  tool: AnyTool;
  args: Input;
  input: Input;
  session: string | undefined;
  /** Who read the call, when it is not native. */
  decoder?: Dialect;
}

const HINT = 'Do it another way, or ask whoever runs this server to change the rule.';

export class PolicyCheck {
  /** For the journal. */
  ruled: Pick<JournalRecord, 'rule' | 'approval'> = {};
  /** The question that a person must answer first. */
  ask: Question | undefined;
  readonly #server: Server;
  readonly #one: Candidate;
  /** Of a call inside a batch: the check of the batch. */
  readonly #outer: PolicyCheck | undefined;
  /** The questions that a person has agreed to, and those of them that this call needed so far. */
  #answered: readonly string[] | undefined;
  readonly #agreed = new Set<string>();
  /** For which urls each rule was agreed to. */
  readonly #granted = new Map<string, Set<string>>();
  /** A call of this batch was sent: nobody can be asked about the whole any more. */
  #hasBegun = false;
  /** What is known so far; undefined when there are no rules. */
  #facts: CallFacts | undefined;
  /** The decision waits for the address of the page. */
  #isWaiting = false;
  /** What the session had done when the page was looked at: a yes is for the page as it was then. */
  #deeds = 0;
  #found: Touches | undefined;

  constructor(server: Server, one: Candidate, outer: PolicyCheck | undefined) {
    this.#server = server;
    this.#one = one;
    this.#outer = outer;
  }

  /** Before anything is done. Throws when the call may not run, or not yet. */
  async beforeRun(): Promise<void> {
    const { call } = this.#one;
    const answer = call.approval?.answer;
    if (answer !== undefined && answer !== 'accept') throw this.#declined(answer);
    this.#permit();
    const { rules, options } = this.#server;
    if (!isOpen(rules.policy)) await this.#obey(rules.policy);
    const scripts = (this.#outer ?? this).#one.call.adapter?.scriptRules(this.#server) ?? rules.scripts;
    if (!scripts.allowed || scripts.blocked.length > 0) checkScripts(call.name, this.#callerScripts(), scripts);
    call.adapter?.checkUrls(options, this.#touches.urls);
  }

  /** What the call touches, looked for once. */
  get #touches(): Touches {
    this.#found ??= touchesOf(this.#one.tool.input, this.#one.input);
    return this.#found;
  }

  /** A call that only reads may still write a file, or run a script of the caller, which can do anything. */
  get effect(): Effect {
    const { tool, input } = this.#one;
    if (this.#callerScripts().length > 0) return 'danger';
    const effect = tool.effectWith?.(input) ?? tool.effect;
    return effect === 'read' && this.#touches.writes.length > 0 ? 'write' : effect;
  }

  /** A batch that a dialect makes of another tool was not asked for by its name. */
  #permit(): void {
    const { call, tool } = this.#one;
    const { id, may } = call.caller;
    if (tool.ofOwner && !isOwner(id))
      throw refusedBy(
        'only for the owner',
        phrase`${calledTool(tool.name)} is refused: rule "only for the owner" of this server.`,
        'Use what is your own, or ask the owner.',
      );
    if (!may || (tool.on === 'calls' && call.name !== tool.name)) return;
    const effect = this.effect;
    const missing = lackingFor(may, { ...tool, effect });
    if (missing === undefined) return;
    const rule = `permissions of ${id}`;
    throw refusedBy(
      rule,
      phrase`${calledTool(tool.name)} (effect "${effect}"${effect === tool.effect ? '' : ' with these arguments'}) is refused: rule "${rule}" allows only ${missing}.`,
      'Use what is allowed, or ask whoever runs this server for more.',
    );
  }

  /** Without those that a dialect brings along. */
  #callerScripts(): string[] {
    const decoders = [this, this.#outer ?? this].map(check => check.#one.decoder);
    return this.#touches.scripts.filter(script => !decoders.some(decoder => decoder?.isOwnScript(script)));
  }

  /** The first call of the batch is sent. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** When the page that the call acts on is known (undefined when it has none), and how much its session has done so far. */
  onPage(url: string | undefined, deeds = 0): void {
    this.#deeds = deeds;
    const { adapter } = this.#one.call;
    this.#facts &&= withTouched(this.#facts, [url ?? '']);
    if (this.#isWaiting) this.#judge([]);
    // A page that the call leaves is no matter.
    if (adapter && url && !this.#touches.elsewhere) adapter.checkPage(this.#server.options, url);
  }

  /** For what only the run shows. */
  get judge(): UrlJudge | undefined {
    const facts = this.#facts;
    return (
      facts && {
        check: (urls, hosts) => this.#judge(urls, hosts),
        allows: url => {
          const decided = decide(this.#server.rules.policy, withTouched(facts, [url]));
          return decided?.decision === 'allow' || (decided?.decision === 'ask' && this.#granted.has(decided.rule));
        },
      }
    );
  }

  #judge(urls: readonly string[], hosts?: readonly string[]): void {
    if (!this.#facts) return;
    const facts = withTouched(this.#facts, urls, hosts);
    const { policy } = this.#server.rules;
    const decided = decide(policy, facts);
    const isAboutUrls = policy.rules.some(({ name, url }) => name === decided?.rule && url);
    // Who has agreed to the call by a rule that looks at no url is not asked again.
    if (decided && (isAboutUrls || !this.#granted.has(decided.rule)))
      this.#follow(decided, [...facts.urls, ...(facts.hosts ?? []).map(host => `https://${host}/`)]);
  }

  async #obey(policy: Policy): Promise<void> {
    const { call, tool } = this.#one;
    const touches = this.#touches;
    // A batch is a way to send calls: each of them is decided by itself.
    if (tool.on === 'calls') return this.#obeyByName(policy);
    const facts: CallFacts = {
      tool: tool.name,
      effect: this.effect,
      caller: call.caller.id,
      urls: touches.urls.flatMap(addressOf),
      hosts: touches.hosts,
      files: await filesOf(policy, touches, baseOf(call, this.#server)),
      pagePending: !touches.elsewhere && (tool.on === 'tab' || tool.onPage === true),
    };
    this.#facts = facts;
    const decision = decide(policy, facts);
    // A person wants to see on which page; a batch is asked about before there is one.
    const showsPage = decision?.decision === 'ask' && facts.pagePending && call.asks && !this.#outer;
    if (decision && !showsPage) this.#follow(decision, facts.urls);
    else this.#isWaiting = true;
  }

  /** Only a rule that names the batch itself, and only when the caller did. */
  #obeyByName({ rules }: Policy): void {
    const { call, tool } = this.#one;
    const named = rules.find(
      ({ tool: name, caller, effects, url, path }) =>
        name?.(tool.name) && (caller?.(call.caller.id) ?? true) && !effects && !url && !path,
    );
    if (named && call.name === tool.name) this.#follow({ decision: named.decision, rule: named.name }, []);
  }

  #follow({ decision, rule }: Decision, urls: readonly string[]): void {
    const { tool } = this.#one;
    if (decision === 'deny') throw refusedBy(rule, phrase`${calledTool(tool.name)} is refused: rule "${rule}".`, HINT);
    if (decision === 'ask') this.#approve(rule, urls);
  }

  /** Goes on when a person has agreed to this very call; throws otherwise. */
  #approve(rule: string, urls: readonly string[]): void {
    if (this.#outer) this.#outer.#approveWithin(rule, urls, this.#one);
    else this.#question(rule, urls);
    this.#granted.set(rule, new Set([...(this.#granted.get(rule) ?? []), ...urls.map(hrefOf)]));
    this.ruled = { rule, approval: 'approved' };
  }

  /** A batch is agreed to as a whole, before the first of its calls runs: for each rule, and the urls that its calls name. */
  #approveWithin(rule: string, urls: readonly string[], inner: Candidate): void {
    const granted = this.#granted.get(rule);
    if (granted && urls.every(url => granted.has(hrefOf(url)))) return;
    if (this.#hasBegun)
      throw refusedBy(
        rule,
        phrase`${toolName(inner.tool.name)} is refused inside ${this.#one.call.name}: rule "${rule}" wants approval.`,
        'Call it by itself.',
      );
    this.#approve(rule, []);
    for (const url of urls) this.#granted.get(rule)?.add(hrefOf(url));
  }

  #question(rule: string, urls: readonly string[]): void {
    const { call, tool } = this.#one;
    const about = this.#about(rule, urls);
    const { approvals } = this.#server.rules;
    this.#answered ??= (call.approval && approvals.take(call.approval.id, call.caller.id)?.about) ?? [];
    if (this.#answered.includes(about)) {
      this.#agreed.add(about);
      return;
    }
    if (!call.asks)
      throw refusedBy(
        rule,
        phrase`${calledTool(tool.name)} is refused: rule "${rule}" wants a person to approve it, and this client cannot be asked.`,
        'Use a client that answers questions of servers (MCP elicitation), or do it another way.',
      );
    this.ask = {
      // The next answer stands for the earlier ones too: a call may need one for each of several rules.
      id: approvals.ask({ about: [...this.#agreed, about], rule }, call.caller.id),
      rule,
      question: questionAbout(this.#one, rule, urls),
    };
    this.ruled = { rule, approval: 'asked' };
    throw new Failure(
      'not_approved',
      phrase`${calledTool(tool.name)} waits for a person: rule "${rule}" wants approval.`,
      undefined,
      {
        rule,
      },
    );
  }

  /** Which call, on which page, with its query, before the session does more: an approval holds for no other. */
  #about(rule: string, urls: readonly string[]): string {
    const { tool, args, session } = this.#one;
    return createHash('sha256')
      .update(JSON.stringify([tool.name, args, session ?? null, rule, urls, this.#deeds]))
      .digest('base64');
  }

  #declined(answer: 'decline' | 'cancel'): Failure {
    const { call, tool } = this.#one;
    const rule = this.#server.rules.approvals.take(call.approval?.id ?? '', call.caller.id)?.rule;
    this.ruled = { ...(rule !== undefined && { rule }), approval: answer === 'decline' ? 'declined' : 'cancelled' };
    const what = answer === 'decline' ? 'a person did not agree' : 'nobody answered the question';
    const why = rule === undefined ? '' : ` (rule "${rule}" wants approval)`;
    return new Failure(
      'not_approved',
      phrase`${calledTool(tool.name)} was not run: ${what}${why}.`,
      'Do not try it again unless you are told to.',
      { rule },
    );
  }
}

const isOpen = ({ rules, otherwise }: Policy): boolean => rules.length === 0 && otherwise.decision === 'allow';

/** The facts with all that is known now. */
const withTouched = (facts: CallFacts, urls: readonly string[], hosts: readonly string[] = []): CallFacts => ({
  ...facts,
  urls: [...facts.urls, ...urls.flatMap(addressOf)],
  hosts: [...(facts.hosts ?? []), ...hosts],
  pagePending: false,
});

/** A url as pages are asked for theirs. */
const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** Rules see where a page really is. A blank page is nowhere. */
function addressOf(url: string): string[] {
  if (url === '' || /^about:(?:blank|srcdoc)(?:[?#]|$)/i.test(url)) return [];
  return [url.replace(/^blob:(?=https?:)/i, '')];
}

/** From which relative paths of the call count. */
function baseOf({ caller, workFolder }: Call, { options }: Server): string {
  const { work, output } = foldersOf(caller.id, options, workFolder);
  return work ?? output;
}

async function filesOf({ rules }: Policy, { reads, writes }: Touches, base: string): Promise<CallFacts['files']> {
  if (!rules.some(({ path }) => path)) return [];
  return Promise.all([...reads, ...writes].map(path => touched(path, base)));
}

/** The permission that is missing, in words. A batch counts only by its name: its calls are asked about one by one. */
export const lackingFor = (may: Permissions, tool: AnyTool): string | undefined =>
  missingPermission(tool.on === 'calls' ? { ...may, effects: [tool.effect] } : may, tool);
