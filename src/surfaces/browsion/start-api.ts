// The service that the bridge needs: whether it is meant to run, and how it is started.
import type { Loaded } from '../../config/load.ts';
import { envOf, flagOf } from '../../config/options.ts';
import { Failure } from '../../errors.ts';

type Asked = Pick<Loaded, 'options' | 'origins'>;

/** A port 0 that Browsion's own config says means that there shall be no API; as a flag of ours it means any free port. */
export const isDisabled = ({ options, origins }: Asked): boolean =>
  options.port === 0 && ![flagOf('port'), envOf('port')].includes(origins.port);

export function howToStart(asked: Asked): string {
  const { port } = asked.options;
  if (isDisabled(asked))
    return `${disabledBy(asked)} Set api_port in it, then start it: tabwright serve --dialect browsion`;
  return `Start it: tabwright serve --dialect browsion${port === USUAL ? '' : ` --port ${port}`}`;
}

const USUAL = 38_472;

const disabledBy = ({ origins }: Asked): string => `The HTTP API is disabled by ${origins.port}.`;

/** Before a server listens that shall not. */
export function checkEnabled(asked: Asked): void {
  if (!isDisabled(asked)) return;
  throw new Failure('refused', disabledBy(asked), `Set its api_port to ${USUAL}, or give --port.`);
}
