// The page at /view: logs in with the code of its address, connects, and shows the view that the address asks for.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { OverviewPage } from './overview/overview.tsx';
import { Header } from './parts/header.tsx';
import { Login } from './parts/login.tsx';
import { Announcer, Empty, LostConnection, Notices } from './parts/notices.tsx';
import { route, startRoutes, takeCode } from './parts/route.ts';
import { ServerPage } from './server/server.tsx';
import { SessionPage } from './session/session.tsx';
import { startTimeline } from './session/timeline-state.ts';
import { startControls } from './step-in/controls-state.ts';
import { startLease } from './step-in/lease.ts';
import { startAnnouncements, WaitingPage } from './waiting/waiting.tsx';
import { login, serverFacts } from './wire/api.ts';
import { connect, on } from './wire/connection.ts';
import { startPictures } from './wire/pictures.ts';
import { hasFacts, link, may, overview, startClock } from './wire/state.ts';

const TITLES = { overview: 'Sessions', waiting: 'Waiting', server: 'Server', session: 'Session' };

function View() {
  const at = route.value;
  if (!overview.value) return <Empty title="Connecting to the server…" />;
  if (at.view === 'session') return <SessionPage key={at.session} id={at.session} />;
  if (at.view === 'waiting') return <WaitingPage />;
  return at.view === 'server' ? <ServerPage /> : <OverviewPage />;
}

function App() {
  const state = link.value;
  if (state.state === 'login')
    return (
      <>
        <Login why={state.why} />
        <Announcer />
      </>
    );
  return (
    <>
      <Header />
      <LostConnection />
      <Notices />
      <main tabIndex={-1} class={`view-${route.value.view}`}>
        <View />
      </main>
      <Announcer />
    </>
  );
}

/** A page that was opened with a code stays logged out when the code is refused, even if an older login would do. */
async function start(): Promise<void> {
  const code = takeCode();
  try {
    if (code !== undefined) await login(code);
    connect();
  } catch (error) {
    link.value = { state: 'login', why: (error as Error).message };
  }
}

async function askForFacts(): Promise<void> {
  hasFacts.value =
    may('admin') &&
    (await serverFacts().then(
      () => true,
      () => false, // then the view is not offered
    ));
}

startRoutes(() => void start());
startClock();
startPictures();
startTimeline();
startControls();
startLease();
startAnnouncements();
on('hello', () => void askForFacts());
effect(() => {
  document.title = `${TITLES[route.value.view]} · Tabwright`;
});
const root = document.getElementById('page');
if (root) render(<App />, root);
void start();
