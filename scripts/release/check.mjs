import { readFile } from 'node:fs/promises';
import { Failure } from '../setup/failure.mjs';
import { runToTheEnd } from '../setup/lifetime.mjs';
import { readOptions } from '../setup/options.mjs';
import { ensureProject } from '../setup/project.mjs';

const HELP = `npm run release:check [-- options]

Says whether the package in this folder could be published as it is: version, changelog, owner. The tests and
the gate are other commands: npm test, npm run release:build.

  --tag NAME         the tag that asks for the release, such as v0.1.0; has to fit the version
  --repository NAME  owner/name of the GitHub repository that publishes; has to be that in package.json
  --help             this text

Exit code: 0 nothing is in the way; 1 something is, and is printed.`;

await runToTheEnd(async () => {
	const { help, tag, repository } = readOptions('npm run release:check', process.argv.slice(3), {
		tag: { type: 'string', example: 'v0.1.0' },
		repository: { type: 'string', example: 'owner/name' },
	});
	if (help) {
		console.log(HELP);
		return;
	}
	const [manifest, lock, changelog] = await Promise.all(['package.json', 'package-lock.json', 'CHANGELOG.md'].map(textOf));
	await ensureProject();
	// Imported late: what it needs is there from here on.
	const { problemsOf } = await import('./problems.mjs');
	const release = { manifest: JSON.parse(manifest), lock: JSON.parse(lock), changelog, now: new Date(), tag, repository };
	const problems = problemsOf(release);
	for (const problem of problems) console.error(`✗ ${problem}`);
	if (problems.length > 0) return 1;
	console.log(`✓ ${release.manifest.name} ${release.manifest.version} may be published.`);
});

async function textOf(file) {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw new Failure(`${file} could not be read (${error.code}).`);
	}
}
