// Emulation of out-of-process frames and of workers: each is a target of its own, which does not follow its page. It is paused when it
// appears, sent the same commands as the page before any of its scripts runs, and resumed.
import type { ChildSession } from '../network/child-session.ts';
import type { EmulationCommand } from './settings.ts';

type Commands = readonly EmulationCommand[];

export const NO_BODIES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/**
 * Watches the frames of a page from now on; gives the function that applies commands to all of them.
 * @param emulation gives the commands that hold now, for frames that appear later
 */
export async function watchFrames(
  page: ChildSession,
  emulation: () => Commands,
): Promise<(commands: Commands) => Promise<void>> {
  const frames = new Set<ChildSession>();
  const use = (frame: ChildSession): Promise<unknown> | undefined => {
    if (frame.info.type !== 'iframe' && frame.info.type !== 'worker') return undefined;
    frames.add(frame);
    frame.session.on('close', () => frames.delete(frame));
    // A target whose requests are not followed is not slowed down.
    const followed = frame.send('Network.enable', NO_BODIES).catch(() => undefined); // it has gone again
    return Promise.all([followed, applyTo(frame, emulation()), frame.follow(use)]);
  };
  await page.follow(use);
  return async commands => {
    await Promise.all(Array.from(frames, frame => applyTo(frame, commands)));
  };
}

/** A command that a frame refuses was already applied by a frame of the same process, or the frame has gone. */
async function applyTo(frame: ChildSession, commands: Commands): Promise<void> {
  const isMeant = ({ method }: EmulationCommand) => frame.info.type === 'iframe' || method.startsWith('Network.');
  const sent = commands
    .filter(isMeant)
    .map(({ method, params }) => frame.send(method, ...([params] as never)).catch(() => undefined));
  await Promise.all(sent);
}
