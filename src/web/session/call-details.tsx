// One call of the timeline: how it failed and what to do, its answer with the receipt, its arguments, its pictures.
import type { TimelineCall } from '../../surfaces/view/protocol.ts';
import { pictureUrl } from '../wire/api.ts';
import { shownPicture } from './timeline-state.ts';

export const CallDetails = ({ call }: { call: TimelineCall }) => {
  const { failure, text, url, args, caller, before, after } = call;
  const entries = Object.entries(Object(args));
  return (
    <div class="details">
      {failure && (
        <p class="details-failure">
          <span class="tool">{failure.code}</span> {failure.message}
          {failure.hint && <span class="hint">{failure.hint}</span>}
        </p>
      )}
      {(before ?? after) !== undefined && (
        <div class="details-pictures">
          {before !== undefined && <PictureButton id={before} label="Before" />}
          {after !== undefined && <PictureButton id={after} label="After" />}
        </div>
      )}
      {!failure && text && <pre class="answer">{text}</pre>}
      <dl class="pairs">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
        {url !== undefined && (
          <div>
            <dt>Page after</dt>
            <dd>{url}</dd>
          </div>
        )}
        <div>
          <dt>Caller</dt>
          <dd>{caller}</dd>
        </div>
      </dl>
    </div>
  );
};

/** Shows it large, or the live picture again. */
const PictureButton = ({ id, label }: { id: string; label: string }) => {
  const isShown = shownPicture.value === id;
  return (
    <button
      type="button"
      class="thumb"
      aria-pressed={isShown}
      onClick={() => {
        shownPicture.value = isShown ? undefined : id;
      }}
    >
      <img src={pictureUrl(id)} alt="" loading="lazy" />
      <span>{label}</span>
    </button>
  );
};
