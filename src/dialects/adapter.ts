// Makes the adapter of a dialect from its definition.
import { OPTIONS, type Options } from '../config/options.ts';
import { defined } from '../defined.ts';
import { ellipsis } from '../ellipsis.ts';
import { refusedBy } from '../errors.ts';
import { compilePatterns, type Patterns } from '../policy/patterns.ts';
import { type ScriptRules, scriptRules } from '../policy/scripts.ts';
import type { AnyTool } from '../tools/tool.ts';
import { notOffered } from '../tools/unknown-tool.ts';
import { checkArguments, namesIn, stepsOf, toNative } from './decode.ts';
import type { DialectDefinition, DialectTool } from './definition.ts';
import type { Args, CallRequest, DecodedCall, Dialect, Times } from './dialect.ts';
import { encode, encodeFailure, tolerate } from './encode.ts';
import { type DialectDefaults, entryOf } from './registry.ts';
import { toolNamed } from './spelling.ts';
import { lastSnapshot, refPrefix, wordingFor } from './wording.ts';

export function adapterOf(name: string, definition: DialectDefinition): Dialect {
  const { tools, strict = false, startTime = 0, beforeSession, beforeActiveTab, beforeTab } = definition;
  const defaults = entryOf(name)?.defaults ?? {};
  const { blocked } = scriptRules(true, defaults.blockScripts ?? []);
  const scripts = ownScripts(definition);
  // A server that was started for the dialect has its defaults among its options, where they can be changed.
  const allowedIn = (options: Options) =>
    defaults.allowUrls && (name === options.dialect ? options : defaults).allowUrls;
  return {
    name,
    strict,
    toolNames: Object.keys(tools).filter(tool => !strict || !tools[tool]?.unlisted),
    decode: request => decode(definition, request),
    wording: call => wordingFor(definition, call, call.session),
    refPrefix: session => refPrefix(definition, lastSnapshot(session) + 1),
    encode: (call, text, data) => encode(definition, call, text, data),
    encodeFailure: (call, failure) => encodeFailure(definition, wordingFor(definition, call, call.session), failure),
    tolerate: (call, error) => tolerate(definition, call, error),
    checkUrls(options, urls) {
      const allowed = allowedIn(options);
      if (allowed) for (const url of urls) checkUrl(url, allowed, name);
    },
    checkPage(options, url) {
      const allowed = allowedIn(options);
      // A browser that the dialect's own server started cannot reach other urls; an attached one can.
      const isBounded = name === options.dialect && options.cdpEndpoint === undefined;
      if (allowed && !isBounded && /^https?:/i.test(url)) checkUrl(url, allowed, name);
    },
    scriptRules: ({ rules, options }): ScriptRules =>
      name === options.dialect ? rules.scripts : { ...rules.scripts, blocked: [...rules.scripts.blocked, ...blocked] },
    isOwnScript: script => scripts.has(script),
    times: options => timesOf(defaults, options, name === options.dialect),
    startTime,
    ...defined({ beforeSession, beforeActiveTab, beforeTab }),
  };
}

const ownScripts = ({ tools }: DialectDefinition): ReadonlySet<unknown> =>
  new Set(
    Object.values(tools)
      .flatMap(({ cases }) => cases.flatMap(stepsOf))
      .flatMap(({ constants = {} }) => Object.values(constants)),
  );

/** Whoever names other times for the whole server gets those; the options of a server of this dialect have its times already. */
function timesOf(defaults: DialectDefaults, options: Options, isServer: boolean): Partial<Times> {
  const own = (key: 'timeoutAction' | 'timeoutNavigation') =>
    !isServer && options[key] === OPTIONS[key].default ? defaults[key] : undefined;
  return defined({
    action: own('timeoutAction'),
    navigation: own('timeoutNavigation'),
    // A dialect with a time for pages has promised to wait for the load event that long.
    load: defaults.timeoutNavigation === undefined ? undefined : Number.POSITIVE_INFINITY,
  });
}

/** A strict dialect takes the arguments that it lists and names the session; others take native arguments beside their own. */
function decode(definition: DialectDefinition, request: CallRequest): DecodedCall | undefined {
  const { name, tools, server, caller } = request;
  const called = toolNamed(definition, name);
  if (!called) return undefined;
  const given = withoutAliases(called, request.args);
  if (definition.strict) checkArguments(name, called, given);
  const shown = definition.lastShown?.(server, caller);
  const { tool: native, args, names } = toNative(name, called, given, Date.now(), shown);
  const tool = toolFor(tools, native, name);
  if (!definition.strict) return { tool, session: undefined, names, ...windowApart(tool, args) };
  const session = sessionIn(definition, called, given);
  return {
    tool,
    args,
    session,
    ...(session !== undefined && called.createsSession !== true && { mustExist: true }),
    names,
    ...(called.time && { time: called.time }),
    ...(called.result && { json: true }),
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
  { sessionArgument = 'session', sessionOf = given => given }: DialectDefinition,
  { cases }: DialectTool,
  args: Args,
): string | undefined {
  const sources = cases.flatMap(stepsOf).flatMap(({ args: from = {} }) => Object.values(from));
  const given = sources.flatMap(namesIn).includes(sessionArgument) ? undefined : args[sessionArgument];
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
    `URL not allowed: ${ellipsis(url, 200)}`,
    `Rule "${rule}" allows only ${allowed.join(', ')}. Use another url.`,
  );
}
