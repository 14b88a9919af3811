// A policy as it is written → rules that can be asked.
import { type Effect, nameMatcher, type Policy, type PolicyRule, type PolicyVerdict, pathMatcher } from './decide.ts';
import { compilePatterns } from './patterns.ts';

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
  return {
    name,
    decision,
    ...(tool && { tool: nameMatcher(tool) }),
    ...(effect && { effects: effect }),
    ...(caller && { caller: nameMatcher(caller) }),
    ...(url && { url: urlMatcher(decision, url) }),
    ...(path && { path: pathMatcher(path, platform) }),
  };
}

/** A url has many spellings: one that matches is enough to refuse, to allow all must. */
function urlMatcher(decision: PolicyVerdict, texts: readonly string[]): PolicyRule['url'] & object {
  const patterns = compilePatterns(texts);
  return decision === 'allow' ? url => patterns.covers(url) !== undefined : url => patterns.match(url) !== undefined;
}
