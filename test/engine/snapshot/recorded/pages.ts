// The pages of the test site that are recorded for the tests without a browser.
export const PAGES = [
  'sentence',
  'settings',
  'todo',
  'tables',
  'chart',
  'email',
  'nested-shadow',
  'frames-nested',
  'signup-in-cross-origin-iframe',
];
