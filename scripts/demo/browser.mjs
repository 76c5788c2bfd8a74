import { spawn } from 'node:child_process';

/** Opens an address in the user's browser, where there is a user and a screen. Failing to is no failure. */
export function openBrowser(url) {
	const { platform, env } = process;
	const screen = platform === 'darwin' || platform === 'win32' || env.DISPLAY || env.WAYLAND_DISPLAY;
	if (!process.stdin.isTTY || !process.stdout.isTTY || !screen || env.CI) return;
	const [command, args] =
		platform === 'darwin' ? ['open', [url]] : platform === 'win32' ? ['cmd', ['/c', 'start', '', url]] : ['xdg-open', [url]];
	const child = spawn(command, args, { stdio: 'ignore', detached: true });
	child.on('error', () => {});
	child.unref();
}
