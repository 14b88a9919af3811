// What the dialect devtools sets unless a config file, a variable or a flag says otherwise.

export const DEFAULTS = { timeoutAction: 5_000, timeoutNavigation: 10_000 };
