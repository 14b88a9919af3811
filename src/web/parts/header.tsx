// The bar at the top: where you are, what waits for you, who you are.
import { logout } from '../wire/api.ts';
import { hasFacts, hello, link, notify, waitingCount } from '../wire/state.ts';
import { route } from './route.ts';

export function Header() {
  const { view } = route.value;
  const current = (one: string) => (view === one ? { 'aria-current': 'page' as const } : {});
  return (
    <header class="bar">
      <button type="button" class="skip" onClick={toMain}>
        Skip to content
      </button>
      <a class="brand" href="#view=overview">
        Tabwright
      </a>
      <nav aria-label="Views">
        <a href="#view=overview" {...current('overview')}>
          Sessions
        </a>
        <a href="#view=waiting" {...current('waiting')}>
          Waiting
          {waitingCount.value > 0 && (
            <span class="count">
              {waitingCount.value}
              <span class="unseen"> for you</span>
            </span>
          )}
        </a>
        {hasFacts.value && (
          <a href="#view=server" {...current('server')}>
            Server
          </a>
        )}
      </nav>
      <LinkState />
      {hello.value && (
        <span class="who">
          <span class="muted" title="Who you are logged in as">
            {hello.value.caller}
          </span>
          <button type="button" class="quiet" onClick={leave}>
            Log out
          </button>
        </span>
      )}
    </header>
  );
}

const WORDS = { connecting: 'Connecting…', open: 'Live', waiting: 'Offline', login: 'Logged out' };

const LinkState = () => <span class={`link link-${link.value.state}`}>{WORDS[link.value.state]}</span>;

function toMain(): void {
  document.querySelector<HTMLElement>('main')?.focus();
}

async function leave(): Promise<void> {
  try {
    await logout();
    location.reload();
  } catch (error) {
    notify((error as Error).message);
  }
}
