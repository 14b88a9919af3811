// May this tool run? The default for each effect; every refusal names its rule.

export type Effect = 'read' | 'write' | 'danger';

/** What the holder of a token may do. */
export interface Permissions {
  effects?: readonly Effect[];
  /** Names of tools; a `*` stands for any part of a name. */
  tools?: readonly string[];
}
export type Decision = { allow: true } | { allow: false; rule: string };

export const BY_EFFECT: Readonly<Record<Effect, 'allow' | 'deny'>> = { read: 'allow', write: 'allow', danger: 'allow' };

export function decide(effect: Effect, rules: Readonly<Record<Effect, 'allow' | 'deny'>> = BY_EFFECT): Decision {
  return rules[effect] === 'allow' ? { allow: true } : { allow: false, rule: `no tools of effect "${effect}"` };
}
