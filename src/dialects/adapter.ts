// Makes the adapter of a dialect from its definition.
import { OPTIONS, type Options } from '../config/options.ts';
import { refusedBy } from '../errors.ts';
import { compilePatterns, type Patterns } from '../policy/patterns.ts';
import { type ScriptRules, scriptRules } from '../policy/scripts.ts';
import type { AnyTool } from '../tools/tool.ts';
import { notOffered } from '../tools/unknown-tool.ts';
import { checkArguments, namesIn, stepsOf, toNative } from './decode.ts';
import type { DialectDefinition, DialectTool } from './definition.ts';
import type { Args, CallRequest, DecodedCall, Dialect, Times } from './dialect.ts';
import { encode, encodeFailure, tolerate } from './encode.ts';
import { rowOf } from './spelling.ts';
import { lastSnapshot, refPrefix, wordingFor } from './wording.ts';

export function adapterOf(name: string, definition: DialectDefinition): Dialect {
  const { rows, strict = false, preset, beforeSession, beforeActiveTab, beforeTab } = definition;
  const blocked = scriptRules(true, preset?.blockScripts ?? []).blocked;
  const scripts = ownScripts(definition);
  const allowedIn = (options: Options) => (name === options.dialect && preset ? options : preset)?.allowUrls;
  return {
    name,
    strict,
    toolNames: Object.keys(rows).filter(tool => !strict || !rows[tool]?.unlisted),
    decode: request => (strict ? decodeStrictly(definition, request) : decodeLoosely(definition, request)),
    wording: call => wordingFor(definition, call, call.session),
    refPrefix: session => refPrefix(definition, lastSnapshot(session) + 1),
    encode: (call, text, data) => encode(definition, call, text, data),
    encodeFailure: (call, failure) => encodeFailure(definition, wordingFor(definition, call, call.session), failure),
    tolerate: (call, error) => tolerate(definition, call, error),
    // A server that was started for the dialect has the preset among its options, where it can be changed.
    checkUrls(options, urls) {
      const allowed = allowedIn(options);
      if (allowed) for (const url of urls) checkUrl(url, allowed, name);
    },
    checkPage(options, url) {
      const allowed = allowedIn(options);
      // A browser of the dialect's own server cannot get elsewhere; one that somebody else started can.
      const isBounded = name === options.dialect && options.cdpEndpoint === undefined;
      if (allowed && !isBounded && /^https?:/i.test(url)) checkUrl(url, allowed, name);
    },
    scriptRules: ({ rules, options }): ScriptRules =>
      name === options.dialect ? rules.scripts : { ...rules.scripts, blocked: [...rules.scripts.blocked, ...blocked] },
    isOwnScript: script => scripts.has(script),
    times: options => timesOf(definition, name, options),
    startTime: definition.times?.start ?? 0,
    ...(beforeSession && { beforeSession }),
    ...(beforeActiveTab && { beforeActiveTab }),
    ...(beforeTab && { beforeTab }),
  };
}

const ownScripts = ({ rows }: DialectDefinition): ReadonlySet<unknown> =>
  new Set(
    Object.values(rows)
      .flatMap(({ cases }) => cases.flatMap(stepsOf))
      .flatMap(({ set = {} }) => Object.values(set)),
  );

/** On a server that was started for the dialect they are options; and who names others for the whole server gets those. */
function timesOf({ times }: DialectDefinition, name: string, options: Options): Partial<Times> {
  if (!times || name === options.dialect) return {};
  const isDefault = (key: 'timeoutAction' | 'timeoutNavigation') => options[key] === OPTIONS[key].default;
  return {
    ...(isDefault('timeoutAction') && { action: times.action }),
    ...(isDefault('timeoutNavigation') && { navigation: times.navigation }),
  };
}

/** By a dialect that takes native arguments beside its own, and leaves the session to the caller. */
function decodeLoosely({ rows }: DialectDefinition, { name, args, tools }: CallRequest): DecodedCall | undefined {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return undefined;
  const { tool, args: native, names } = toNative(name, row, args, Date.now());
  const found = toolFor(tools, tool, name);
  return { tool: found, session: undefined, names, ...windowApart(found, native) };
}

function decodeStrictly(definition: DialectDefinition, request: CallRequest): DecodedCall | undefined {
  const { name, tools, server, caller } = request;
  const row = rowOf(definition, name);
  if (!row) return undefined;
  const args = withoutAliases(row, request.args);
  checkArguments(name, row, args);
  const shown = definition.lastShown?.(server, caller);
  const { tool, args: native, names } = toNative(name, row, args, Date.now(), shown);
  const session = sessionIn(definition, row, args);
  return {
    tool: toolFor(tools, tool, name),
    args: native,
    session,
    ...(session !== undefined && row.opens !== true && { mustExist: true }),
    names,
    ...(row.time && { time: row.time }),
    ...(row.result && { json: true }),
  };
}

function toolFor(tools: readonly AnyTool[], name: string, asked: string): AnyTool {
  const found = tools.find(tool => tool.name === name);
  if (!found) throw notOffered(asked, name);
  return found;
}

/** Arguments under the names that are listed. */
const withoutAliases = ({ aliases = {} }: DialectTool, given: Args): Args =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [Object.hasOwn(aliases, name) ? aliases[name] : name, value]),
  );

/** Unless the session is what the tool is about. */
function sessionIn(
  { session = 'session', sessionOf = given => given }: DialectDefinition,
  { cases }: DialectTool,
  args: Args,
): string | undefined {
  const sources = cases.flatMap(stepsOf).flatMap(({ args: from = {} }) => Object.values(from));
  const given = sources.flatMap(namesIn).includes(session) ? undefined : args[session];
  return typeof given === 'string' ? sessionOf(given) : undefined;
}

/** Most native tools know only tabs; in the dialects a window stands for its last one. */
function windowApart({ input }: AnyTool, args: Record<string, unknown>): Pick<DecodedCall, 'args' | 'window'> {
  const { windowId, ...rest } = args;
  return 'windowId' in input || typeof windowId !== 'number' ? { args } : { args: rest, window: windowId };
}

const compiled = new WeakMap<readonly string[], Patterns>();

function patternsOf(texts: readonly string[]): Patterns {
  const known = compiled.get(texts) ?? compilePatterns(texts);
  compiled.set(texts, known);
  return known;
}

function checkUrl(url: string, allowed: readonly string[], dialect: string): void {
  const isNowhere = url === '' || /^about:blank(?:[?#]|$)/i.test(url);
  if (isNowhere || allowed.length === 0 || patternsOf(allowed).covers(url) !== undefined) return;
  const rule = `urls of the dialect ${dialect}`;
  throw refusedBy(
    rule,
    `URL not allowed: ${url.length > 200 ? `${url.slice(0, 199)}…` : url}`,
    `Rule "${rule}" allows only ${allowed.join(', ')}. Use another url.`,
  );
}
