// What a person sees who is not logged in: how to get in.

/** `why`: what the server said to the code of the address. */
export const Login = ({ why }: { why: string | undefined }) => (
  <main class="login" tabIndex={-1}>
    <h1>Tabwright</h1>
    <p class="lead">{why ?? 'You are not logged in to this server.'}</p>
    <p>Run this on the machine where the server runs. It opens this page with a code that works once:</p>
    <pre class="command">tabwright view</pre>
    <p class="muted">
      A code is good for two minutes and for one browser. A login ends after twelve hours without use, or when its token
      is removed.
    </p>
  </main>
);
