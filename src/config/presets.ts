// What a dialect sets unless somebody says otherwise: its own defaults, below every config file.

interface Preset {
  allowUrls: string[];
  blockScripts: string[];
  port: number;
}

export const VISION: Readonly<Preset> = {
  allowUrls: ['^https://'],
  blockScripts: ['eval\\s*\\(', 'Function\\s*\\(', 'document\\.cookie', 'localStorage', 'sessionStorage'],
  port: 8081,
};

export const PRESETS: Readonly<Record<string, Readonly<Preset>>> = { vision: VISION };

/** The default of an option in a dialect; undefined when it has none of its own. */
export const presetOf = (dialect: unknown, option: string): unknown => Object(PRESETS[String(dialect)])[option];
