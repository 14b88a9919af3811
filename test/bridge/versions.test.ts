// Versions: which are tested (S0-53, S0-68), which is older or newer than another, and what is known of each (S0-69).
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import {
  atLeast,
  faultsOf,
  knowsNoPatterns,
  losesElements,
  standing,
  versionIn,
} from '../../src/bridge/cli/versions.ts';
import { TESTED } from '../../src/bridge/constants.ts';

describe('the version', () => {
  it.each([
    ['agent-browser 0.41.0\n', '0.41.0'],
    ['v1.2.3', undefined],
    ['1.2.3-beta.1', '1.2.3'],
    ['nothing', undefined],
  ])('S0-69 in %j is %s', (text, version) => expect(versionIn(text)).toBe(version));

  it.each([
    ['0.5.9', 'older'],
    ['0.6.0', 'supported'],
    ['0.9.4', 'supported'],
    ['0.10.0', 'supported'],
    [TESTED.newest, 'supported'],
    ['0.41.1', 'newer'],
    ['1.0.0', 'newer'],
  ])('S0-68 %s is %s', (version, how) => expect(standing(version)).toBe(how));

  it('S0-53 that is tested last is the one that the tests install', () =>
    expect(packageJson.devDependencies['agent-browser']).toBe(TESTED.newest));

  it.each([
    ['0.9.4', '0.10.0', false],
    ['0.10.0', '0.9.4', true],
    ['0.22.3', '0.22.3', true],
    ['1.0.0', '0.41.0', true],
  ])('S0-68 %s is at least %s: %s', (one, other, is) => expect(atLeast(one, other)).toBe(is));

  it.each([
    ['0.19.0', false],
    ['0.20.0', true],
    ['0.22.2', true],
    ['0.22.3', false],
    [undefined, false],
  ])('S0-24 %s loses elements in a compact snapshot: %s', (version, loses) =>
    expect(losesElements(version)).toBe(loses),
  );

  it.each([
    ['0.19.0', false],
    ['0.20.0', true],
    ['0.30.0', true],
    ['0.30.1', false],
    [undefined, false],
  ])('S0-68 %s knows no patterns of urls: %s', (version, is) => expect(knowsNoPatterns(version)).toBe(is));

  it.each([
    ['0.6.0', /frames, closed shadow roots/],
    ['0.9.2', /AGENT_BROWSER_ARGS/],
    ['0.19.0', /": " in their name/],
    ['0.20.0', /leave out frames;/],
    ['0.21.4', /frames of other sites/],
    ['0.23.0', /frames of other sites/],
    ['0.24.0', /an alert fails/],
    ['0.25.1', /is killed/],
    ['0.32.3', /by role/],
  ])('S0-69 %s has a known fault: %s', (version, what) => expect(faultsOf(version).join('; ')).toMatch(what));

  it.each([
    ['0.9.3', /AGENT_BROWSER_ARGS/],
    ['0.22.0', /frames/],
    ['0.24.1', /an alert fails/],
    ['0.25.2', /is killed/],
  ])('S0-69 %s is free of what was wrong before: %s', (version, what) =>
    expect(faultsOf(version).join('; ')).not.toMatch(what),
  );

  it('S0-69 tested last has none', () => expect(faultsOf(TESTED.newest)).toEqual([]));
});
