// May this call run? Rules in order, the first that matches decides; and what a caller may do at all. Pure.
import { defined } from '../defined.ts';
import { globMatcher } from './glob.ts';
import { compilePatterns } from './patterns.ts';

export const EFFECTS = ['read', 'write', 'danger'] as const;
export type Effect = (typeof EFFECTS)[number];

export const VERDICTS = ['allow', 'deny', 'ask'] as const;
export type PolicyVerdict = (typeof VERDICTS)[number];

/** What the holder of a token may do. */
export interface Permissions {
  effects?: readonly Effect[];
  /** Names of tools; a `*` stands for any part of a name. */
  tools?: readonly string[];
}

export type Matcher = (text: string) => boolean;

/** All conditions that are given must hold. */
export interface PolicyRule {
  /** What a refusal calls it. */
  name: string;
  decision: PolicyVerdict;
  tool?: Matcher;
  effects?: readonly Effect[];
  caller?: Matcher;
  url?: UrlCondition;
  path?: Matcher;
}

interface UrlCondition {
  matches: Matcher;
  /** Whether urls of that host, at any port and path, can match. */
  reaches: Matcher;
}

export interface Policy {
  rules: readonly PolicyRule[];
  /** When no rule matches. */
  otherwise: Pick<PolicyRule, 'name' | 'decision'>;
}

/** A file that a call reads or writes: as it was named, and where that leads when all links are followed. */
interface FileAccess {
  named: string;
  real: string;
}

/** The facts of a call that rules look at. */
export interface CallFacts {
  tool: string;
  effect: Effect;
  caller: string;
  urls: readonly string[];
  /** Whose cookies it reads or changes: these are the same at all ports and paths of a host. */
  hosts?: readonly string[];
  files: readonly FileAccess[];
  /** The url of the page that the call acts on is not known yet. */
  pagePending?: boolean;
}

export interface Decision {
  decision: PolicyVerdict;
  rule: string;
}

export const ALLOW_ALL: Policy = { rules: [], otherwise: { name: 'default', decision: 'allow' } };

/** The first rule that matches decides. Undefined when that depends on the address of a page that is not known yet. */
export function decide({ rules, otherwise }: Policy, facts: CallFacts): Decision | undefined {
  for (const rule of rules) {
    const matches = matching(rule, facts);
    if (matches === undefined) return undefined;
    if (matches) return { decision: rule.decision, rule: rule.name };
  }
  return { decision: otherwise.decision, rule: otherwise.name };
}

/** Undefined when it depends on the address of the page. */
function matching(rule: PolicyRule, facts: CallFacts): boolean | undefined {
  const { tool, effects, caller, path } = rule;
  const holds =
    (tool?.(facts.tool) ?? true) &&
    (effects?.includes(facts.effect) ?? true) &&
    (caller?.(facts.caller) ?? true) &&
    (path === undefined || touches(rule.decision, path, facts.files));
  return holds && (rule.url === undefined || concerns(rule.decision, rule.url, facts));
}

/** One forbidden url is enough to refuse; to allow, all must be allowed. */
function concerns(
  decision: PolicyVerdict,
  { matches, reaches }: UrlCondition,
  { urls, hosts = [], pagePending = false }: CallFacts,
): boolean | undefined {
  if (decision === 'allow') {
    if (!urls.every(matches) || !hosts.every(reaches)) return false;
    return pagePending ? undefined : urls.length + hosts.length > 0;
  }
  return urls.some(matches) || hosts.some(reaches) || (pagePending ? undefined : false);
}

/** Deny and ask match the named path and the real one; allow looks at the real path only. */
function touches(decision: PolicyVerdict, path: Matcher, files: readonly FileAccess[]): boolean {
  if (decision === 'allow') return files.length > 0 && files.every(({ real }) => path(real));
  return files.some(({ named, real }) => path(named) || path(real));
}

/** The permission that a caller lacks for a tool, in words; undefined when it lacks none. */
export function missingPermission(
  { effects, tools }: Permissions,
  tool: { name: string; effect: Effect },
): string | undefined {
  if (tools && !tools.some(name => nameMatcher([name])(tool.name))) return `tools: ${list(tools)}`;
  if (effects && !effects.includes(tool.effect)) return `effects: ${list(effects)}`;
  return undefined;
}

const list = (words: readonly string[]): string => words.join(', ') || 'none';

/** Names of tools or callers; a `*` stands for any part of a name. */
export function nameMatcher(names: readonly string[]): Matcher {
  const matchers = names.map(name => globMatcher(name.replace(/\*+/g, '**')));
  return text => matchers.some(matches => matches(text));
}

/** Absolute paths: `*` within one folder, `**` through any number of them. */
export function pathMatcher(globs: readonly string[], platform: NodeJS.Platform): Matcher {
  const matchers = globs.map(glob => globMatcher(compared(glob, platform)));
  return path => matchers.some(matches => matches(compared(path, platform)));
}

/** As the file systems of that platform compare names. */
function compared(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return path.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? path.normalize().toLowerCase() : path;
}

export interface RuleText {
  /** What a refusal calls it. */
  name: string;
  decision: PolicyVerdict;
  tool?: readonly string[];
  effect?: readonly Effect[];
  caller?: readonly string[];
  url?: readonly string[];
  path?: readonly string[];
}

export interface PolicyText {
  rules: readonly RuleText[];
  /** When no rule matches. */
  otherwise: Policy['otherwise'];
}

export const compilePolicy = ({ rules, otherwise }: PolicyText, platform: NodeJS.Platform): Policy => ({
  rules: rules.map(rule => compileRule(rule, platform)),
  otherwise,
});

function compileRule(rule: RuleText, platform: NodeJS.Platform): PolicyRule {
  const { name, decision, tool, effect, caller, url, path } = rule;
  return defined({
    name,
    decision,
    tool: tool && nameMatcher(tool),
    effects: effect,
    caller: caller && nameMatcher(caller),
    url: url && urlCondition(decision, url),
    path: path && pathMatcher(path, platform),
  });
}

/** A url has many spellings: one that matches is enough to refuse, to allow all must. */
function urlCondition(decision: PolicyVerdict, texts: readonly string[]): UrlCondition {
  const patterns = compilePatterns(texts);
  const find = decision === 'allow' ? patterns.covers : patterns.match;
  return { matches: url => find(url) !== undefined, reaches: host => patterns.reaches(host, decision === 'allow') };
}
