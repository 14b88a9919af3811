// What a dialect sets unless somebody says otherwise: its own defaults, below every config file.

interface Preset {
  allowUrls: string[];
  blockScripts: string[];
  port: number;
}

interface Times {
  timeoutAction: number;
  timeoutNavigation: number;
}

export const VISION: Readonly<Preset> = {
  allowUrls: ['^https://'],
  blockScripts: ['eval\\s*\\(', 'Function\\s*\\(', 'document\\.cookie', 'localStorage', 'sessionStorage'],
  port: 8081,
};

export const DEVTOOLS: Readonly<Times> = { timeoutAction: 5_000, timeoutNavigation: 10_000 };

/** A key is asked for only when one was chosen; else this machine alone reaches it. */
const BROWSION = { port: 38_472, auth: false };

export const PRESETS = { vision: VISION, devtools: DEVTOOLS, browsion: BROWSION } as const satisfies Record<
  string,
  object
>;

/** The default of an option in a dialect; undefined when it has none of its own. */
export const presetOf = (dialect: unknown, option: string): unknown => Object(Object(PRESETS)[String(dialect)])[option];
