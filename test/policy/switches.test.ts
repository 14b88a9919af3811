// Switches that a caller may give to the browser of a profile, and those that it may not.
import { describe, expect, it } from 'vitest';
import { checkSwitches } from '../../src/policy/switches.ts';

const REFUSED = `
  --user-data-dir=/x --proxy-server=x --no-proxy-server --lang=de --accept-lang=de --headless --fingerprint=1
  --remote-debugging-port=9222 --remote-debugging-address=0.0.0.0 --remote-debugging-pipe --remote-allow-origins=*
  --renderer-cmd-prefix=x --utility-cmd-prefix=x --gpu-launcher=x --browser-subprocess-path=/x --ppapi-plugin-launcher=x
  --register-pepper-plugins=/x --nacl-gdb=x --load-and-launch-app=/x --type=renderer --load-extension=/x
  --disable-extensions-except=/x --pack-extension=/x --allowlisted-extension-id=x --custom-devtools-frontend=file:///x
  --app=file:///etc/passwd --install-isolated-web-app-from-url=x --no-sandbox --disable-setuid-sandbox --disable-gpu-sandbox
  --disable-seccomp-filter-sandbox --no-zygote --single-process --in-process-gpu --js-flags=--x --disable-web-security
  --disable-site-isolation-trials --allow-file-access-from-files --allow-file-access --reduce-security-for-testing
  --ignore-certificate-errors --ignore-certificate-errors-spki-list=x --allow-insecure-localhost --allow-running-insecure-content
  --unsafely-treat-insecure-origin-as-secure=x --auth-server-allowlist=* --ssl-key-log-file=/x --log-net-log=/x --log-file=/x
  --disk-cache-dir=/x --crash-dumps-dir=/x --trace-startup-file=/x --trace-startup --screenshot=/x --print-to-pdf --dump-dom
  --expose-internals-for-testing --run-web-tests --enable-blink-features=MojoJS --enable-features=A,MojoJSTest
  --disable-features=IsolateOrigins,site-per-process --disable-features=NetworkServiceSandbox --disable-features=Translate,IsolateOrigins
  --blink-settings=webSecurityEnabled=false --blink-settings=imagesEnabled=false,webSecurityEnabled=false --blink-settings
  --use-file-for-fake-video-capture=/x --use-file-for-fake-audio-capture=/x --use-fake-ui-for-media-stream
  --host-resolver-rules=x --host-rules=x --proxy-pac-url=http://x/pac --enable-features=A,B --enable-automation --no-such-switch
  --mute-audio=x --window-size --window-size=/x --use-gl=/x --disable-popup-blocking --constructor --to-string=x
`;

const ALLOWED = `
  --mute-audio --disable-extensions --window-size=900,700 --window-position=-10,20 --start-maximized --kiosk --user-agent=Mozilla/5.0
  --proxy-bypass-list=<-loopback> --disable-blink-features=AutomationControlled --force-device-scale-factor=1.5
  --disable-notifications --no-first-run --disable-gpu --use-gl=swiftshader --disable-features=Translate
  --disable-features=Translate,MediaRouter --blink-settings=imagesEnabled=false --autoplay-policy=no-user-gesture-required
  --restore-last-session --disable-background-networking --use-fake-device-for-media-stream --incognito --disable-sync
`;

const split = (text: string): string[] => text.trim().split(/\s+/);

describe('switches of profiles', () => {
  it.each(split(REFUSED))('15.14 %s is refused, with the reason', arg => {
    expect(() => checkSwitches(['--mute-audio', arg])).toThrow(
      /^The switch --[a-z-]+ is refused, because it .+: rule "switches of profiles"\.$/,
    );
  });

  it.each(split(ALLOWED))('%s is allowed', arg => expect(() => checkSwitches([arg])).not.toThrow());

  it.each(['', 'x', '-x', '--', '--A', '--x y', '--no-sandbox ', '--x=a\nb', '--x=a\0b', ' --x'])(
    '%j is no switch',
    arg => {
      expect(() => checkSwitches([arg])).toThrow('is no switch of Chrome.');
    },
  );
});
