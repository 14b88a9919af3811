// The page size of a headless profile: Chrome's own default leaves 780 x 493 pixels to a page.
import { CdpConnection } from '../../../cdp/connection.ts';
import type { Size } from '../../geometry.ts';
import { type Limits, under } from '../../limits.ts';
import { openSocket } from '../attach/socket.ts';

const SIZE = '({ width: innerWidth, height: innerHeight })';

/** Makes the window so large that its pages, without the frame of the window, have the size. */
export async function setPageSize(url: string, { width, height }: Size, { signal }: Limits): Promise<void> {
  const connection = new CdpConnection(await openSocket(url, signal));
  try {
    await under(signal, resize(connection, { width, height }));
  } finally {
    connection.close();
  }
}

async function resize(connection: CdpConnection, { width, height }: Size): Promise<void> {
  const { root } = connection;
  const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'page' }] });
  const targetId = targetInfos[0]?.targetId;
  if (targetId === undefined) return;
  const page = await connection.attach(targetId);
  const [{ result }, { windowId, bounds }] = await Promise.all([
    page.send('Runtime.evaluate', { expression: SIZE, returnByValue: true }),
    root.send('Browser.getWindowForTarget', { targetId }),
  ]);
  const inner = result.value as Size;
  await root.send('Browser.setWindowBounds', {
    windowId,
    bounds: {
      width: width + (bounds.width ?? inner.width) - inner.width,
      height: height + (bounds.height ?? inner.height) - inner.height,
    },
  });
}
