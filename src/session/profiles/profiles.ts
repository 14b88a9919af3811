// Profiles: browsers of their own, each with its data, proxy, language and time zone. They outlive the server.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { path } from '../../config/kinds.ts';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { hasDisplay } from '../../engine/browser/profile/command.ts';
import { endBrowser } from '../../engine/browser/profile/end.ts';
import { profileFolder } from '../../engine/browser/profile/folder.ts';
import { launchBrowser } from '../../engine/browser/profile/launch.ts';
import { isInUse } from '../../engine/browser/profile-lock.ts';
import { closingSwitches, hasProxy } from '../../engine/egress/closed-to-pages.ts';
import type { Limits } from '../../engine/limits.ts';
import { Failure, refusedBy } from '../../errors.ts';
import { ownPorts } from '../../policy/closed-places.ts';
import { type UrlRuleOptions, urlRulesOf } from '../../policy/url-rules.ts';
import { noun, phrase, toolName } from '../../text.ts';
import { OWNER_IDS } from '../callers.ts';
import { profileSession } from '../names.ts';
import type { SavedSessionInfo } from '../saved/directory.ts';
import type { Session } from '../session.ts';
import type { Sessions } from '../sessions.ts';
import { applyDraft, checkDraft, isId, knownFields, newProfile, type Profile, type ProfileDraft } from './profile.ts';
import { ProfileSessions } from './profile-sessions.ts';
import { type RunningBrowser, RunningBrowsers } from './running-browsers.ts';
import { ProfileStore } from './store.ts';

export interface BrowserRun {
  profile_id: string;
  pid: number;
  cdp_port?: number;
  /** The whole address, for other programs: whoever has it has the whole browser. */
  cdp_url?: string;
  /** Seconds since 1970. */
  launched_at: number;
  /** Without a window. */
  headless: boolean;
}

export interface ProfileInfo extends Profile {
  is_running: boolean;
  /** What calls name to use its browser. */
  session: string;
  run?: BrowserRun;
}

/** A browser that has just ended may hold its folder for a moment. */
const PATIENCE_MS = 1_000;

export class Profiles {
  readonly #store: ProfileStore;
  readonly #runs: RunningBrowsers;
  readonly #attached: ProfileSessions;
  /** Ids of the profiles whose browsers are being killed. */
  readonly #ending = new Set<string>();

  constructor(
    readonly options: Options,
    readonly log: Log,
    readonly sessions: Sessions,
  ) {
    this.#attached = new ProfileSessions(options, log, sessions);
    this.#store = new ProfileStore(options.profilesFile);
    this.#runs = new RunningBrowsers(join(options.stateDir, 'running'), options.profilesFile);
  }

  async list(): Promise<ProfileInfo[]> {
    const runs = await this.#runs.all();
    return (await this.#all()).map(profile => profileInfo(profile, runs));
  }

  async get(id: string): Promise<ProfileInfo> {
    return profileInfo(await this.#find(id), await this.#runs.all());
  }

  /** Every browser that runs, also of a profile that was taken out of the file by hand. */
  async running(): Promise<BrowserRun[]> {
    return (await this.#runs.all()).flatMap(run => runInfo(run) ?? []);
  }

  async create(draft: ProfileDraft): Promise<ProfileInfo> {
    const id = draft.id ?? randomUUID();
    checkDraft(applyDraft({}, { ...draft, id }));
    if (draft.name === undefined) throw new Failure('bad_input', 'A new profile needs a name.', 'Give name.');
    const folder = await this.#folder(draft.user_data_dir || join(this.#own, id));
    const profile = applyDraft(newProfile(id), { ...draft, id, user_data_dir: folder });
    await this.#store.change(profiles => {
      if (profiles.some(other => other.id.toLowerCase() === id.toLowerCase())) throw idTaken(id);
      this.#checkFolder(profile, profiles);
      profiles.push(profile);
    });
    return profileInfo(profile, []);
  }

  /** Changes the given fields. A browser that runs goes on as it was started. */
  async update(id: string, { id: _, ...draft }: ProfileDraft): Promise<ProfileInfo> {
    checkDraft(applyDraft({}, draft));
    const before = await this.#find(id);
    const folder = draft.user_data_dir === undefined ? undefined : await this.#moved(before, draft.user_data_dir);
    const profile = await this.#store.change(profiles => {
      const at = profiles.findIndex(other => other.id === id);
      const old = profiles[at];
      if (!old) throw noProfile(id);
      const after = applyDraft(old, { ...draft, user_data_dir: folder });
      if (folder !== undefined) this.#checkFolder(after, profiles);
      profiles[at] = after;
      return after;
    });
    return profileInfo(this.#located(profile), await this.#runs.all());
  }

  /** Deletes the profile; its data stay where they are. */
  async delete(id: string, limits: Limits): Promise<ProfileInfo> {
    const { user_data_dir: folder } = await this.#find(id);
    return this.#runs.locked(folder, limits, async () => {
      const run = await this.#runs.ofProfile(id);
      if (run) throw runsStill(run, 'it cannot be deleted');
      const profile = await this.#store.change(profiles => {
        const at = profiles.findIndex(other => other.id === id);
        const [gone] = at < 0 ? [] : profiles.splice(at, 1);
        if (!gone) throw noProfile(id);
        return gone;
      });
      await this.#runs.remove(folder);
      return profileInfo(this.#located(profile), []);
    });
  }

  async launch(id: string, limits: Limits): Promise<ProfileInfo> {
    checkUnruled(this.options);
    const { user_data_dir: folder } = await this.#find(id);
    return this.#runs.locked(folder, limits, async () => {
      const profile = await this.#find(id);
      await this.#checkFree(profile);
      const start = this.#startOf(profile);
      const { headless, closedPorts } = start;
      const facts = { profile_id: id, folder, launched_at: Math.floor(Date.now() / 1_000), headless, closedPorts };
      const { options, log } = this;
      const stderrFile = this.#runs.stderrFile(folder);
      await launchBrowser(
        { start, options, log, stderrFile, record: one => this.#runs.add({ ...one, ...facts }) },
        limits,
      );
      return profileInfo(profile, await this.#runs.all());
    });
  }

  async kill(id: string, limits: Limits): Promise<ProfileInfo> {
    const run = await this.#runs.ofProfile(id);
    if (!run) throw noBrowser((await this.#find(id)).id);
    this.#ending.add(id);
    try {
      await this.#attached.drop(id, killed(id));
      if (!(await endBrowser(run, run.url, limits)))
        throw new Failure('timeout', `The browser of profile ${id} (pid ${run.pid}) does not end.`, 'Try again.');
    } finally {
      this.#ending.delete(id);
    }
    // Somebody may have taken the profile out of the file: its browser is ended all the same.
    const profile = await this.#find(id).catch(() =>
      applyDraft(newProfile(id), { name: id, user_data_dir: run.folder }),
    );
    return profileInfo(profile, []);
  }

  /** The session of its browser, which all callers share. */
  async session(id: string): Promise<Session> {
    checkUnruled(this.options);
    if (this.#ending.has(id)) throw killed(id);
    const live = this.#attached.live(id);
    if (live) return live;
    const run = await this.#runs.ofProfile(id);
    const session = await this.#attached.session(id, run);
    if (!session) throw noBrowser((await this.#find(id)).id);
    return session;
  }

  /** Sessions that a call would open: of browsers that run, and that no call has used since this server began. */
  async waiting(): Promise<SavedSessionInfo[]> {
    if (ruleOf(this.options) !== undefined) return [];
    const rest = (await this.running()).filter(({ profile_id }) => !this.#attached.has(profile_id));
    return rest.map(({ profile_id, launched_at }) => {
      const at = launched_at * 1_000;
      const name = profileSession(profile_id);
      const shared = this.sessions.isSharedProfile(name);
      return { name, owner: OWNER_IDS.local, shared, createdAt: at, lastActivity: at, tabs: [] };
    });
  }

  async #all(): Promise<Profile[]> {
    return (await this.#store.all()).map(profile => this.#located(profile));
  }

  /** A person may write a folder into the file as other programs take it: from home, or from where the file is. */
  #located<P extends Profile>(profile: P): P {
    const from = { env: {}, platform: process.platform, home: homedir(), cwd: dirname(this.options.profilesFile) };
    return { ...profile, user_data_dir: path.read(profile.user_data_dir, from) ?? profile.user_data_dir };
  }

  async #find(id: string): Promise<Profile> {
    const profile = isId(id) ? (await this.#all()).find(other => other.id === id) : undefined;
    if (!profile) throw noProfile(id);
    return profile;
  }

  /** Where the data of profiles are that name no folder. */
  get #own(): string {
    return join(this.options.stateDir, 'profiles');
  }

  #folder(given: string): Promise<string> {
    return profileFolder(given, { own: this.#own, allowed: this.options.profileDirs, home: homedir() });
  }

  /** The new folder of the profile; a profile whose browser runs cannot move. */
  async #moved(before: Profile, given: string): Promise<string> {
    if (given === before.user_data_dir) return given;
    const folder = await this.#folder(given);
    if (folder === before.user_data_dir) return folder;
    const run = await this.#runs.ofProfile(before.id);
    if (run) throw runsStill(run, 'its folder cannot be changed');
    return folder;
  }

  async #checkFree({ id, user_data_dir: folder }: Profile): Promise<void> {
    const runs = await this.#runs.all();
    const own = runs.find(run => run.profile_id === id);
    if (own) throw runsAlready(own);
    const other = await this.#runs.onFolder(folder);
    if (other) throw folderTaken(folder, `profile ${other.profile_id}`);
    if (await isInUse(folder, PATIENCE_MS)) throw folderTaken(folder, 'another browser');
    if (runs.length >= this.options.maxSessions) throw tooManyRun(this.options.maxSessions);
  }

  /** Without a display no window can be shown, whatever the profile has set. */
  #startOf({ user_data_dir, lang, headless, proxy_server, timezone, fingerprint, custom_args }: Profile) {
    const given = [...this.options.chromeArg, ...custom_args];
    const isProxied = hasProxy(given, proxy_server);
    return {
      folder: user_data_dir,
      lang,
      headless: headless === true || !hasDisplay(process.platform, process.env),
      proxy: proxy_server,
      timezone,
      fingerprint,
      args: isProxied ? given : closingSwitches(given, {}),
      closedPorts: isProxied ? undefined : [...ownPorts],
    };
  }

  #checkFolder({ id, user_data_dir: folder }: Profile, profiles: readonly Profile[]): void {
    const other = profiles.find(one => one.id !== id && this.#located(one).user_data_dir === folder);
    if (other) throw folderTaken(folder, `profile ${other.id}`);
  }
}

/** Undefined while it starts. */
const runInfo = ({ profile_id, pid, launched_at, headless, url }: RunningBrowser): BrowserRun | undefined =>
  url === undefined
    ? undefined
    : { profile_id, pid, cdp_port: Number(new URL(url).port), cdp_url: url, launched_at, headless };

function profileInfo(profile: Profile, runs: readonly RunningBrowser[]): ProfileInfo {
  const running = runs.find(({ profile_id }) => profile_id === profile.id);
  const run = running && runInfo(running);
  return {
    ...knownFields(profile),
    is_running: run !== undefined,
    session: profileSession(profile.id),
    ...(run && { run }),
  };
}

const noProfile = (id: string): Failure =>
  new Failure(
    'no_profile',
    `There is no profile ${JSON.stringify(id.slice(0, 100))}.`,
    phrase`See ${toolName('profile_list')}.`,
  );

const noBrowser = (id: string): Failure =>
  new Failure(
    'browser_not_running',
    `The browser of profile ${id} does not run.`,
    phrase`Start it with ${toolName('profile')} {"action":"launch","id":${JSON.stringify(id)}}.`,
  );

const runsAlready = ({ profile_id: id, pid }: RunningBrowser): Failure =>
  new Failure(
    'profile_running',
    `Profile ${id} runs already (pid ${pid}).`,
    phrase`Use it with "${noun('session')}": "${profileSession(id)}", or end it with ${toolName('profile')} kill.`,
  );

const runsStill = ({ profile_id: id, pid }: RunningBrowser, wish: string): Failure =>
  new Failure(
    'profile_running',
    `Profile ${id} runs (pid ${pid}): ${wish}.`,
    phrase`End it first with ${toolName('profile')} kill.`,
  );

const idTaken = (id: string): Failure =>
  new Failure('profile_taken', `There is already a profile ${id}.`, 'Choose another id, or leave it out.');

const folderTaken = (folder: string, whose: string): Failure =>
  new Failure(
    'profile_taken',
    `The folder ${folder} is in use by ${whose}.`,
    'Give this profile a folder of its own, or end that browser.',
  );

const tooManyRun = (most: number): Failure =>
  refusedBy(
    '--max-sessions',
    `${most} profiles run already, the most that are allowed: rule "--max-sessions".`,
    phrase`End one with ${toolName('profile')} kill.`,
  );

const killed = (id: string): Failure =>
  new Failure('browser_not_running', `The browser of profile ${id} was ended during this call.`, 'Launch it again.');

/** A browser that outlives the server cannot be held to the server's rules for urls: then there is none. */
function checkUnruled(options: UrlRuleOptions): void {
  const rule = ruleOf(options);
  if (rule === undefined) return;
  throw refusedBy(
    rule,
    `Profiles are not used here: their browsers could not be held to the rules for urls: rule "${rule}".`,
    'Use a session without a profile.',
  );
}

/** The option that sets rules for urls; undefined without rules. */
function ruleOf(options: UrlRuleOptions): string | undefined {
  if (!urlRulesOf(options).hasRules) return undefined;
  if (options.allowUrls.length > 0) return '--allow-urls';
  return options.blockUrls.length > 0 ? '--block-urls' : '--block-private';
}
