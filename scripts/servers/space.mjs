import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * A place for one n8n in a PostgreSQL and a Redis that may hold other things: a schema and a prefix, empty at first.
 * @param {{ modules: string }} n8n whose clients of the two are used
 * @param {{ redis: string, database: string, name: string }} at redis, database: URLs
 */
export async function openSpace({ modules }, { redis, database, name }) {
	const require = createRequire(path.join(modules, 'index.js'));
	const { Client } = require('pg');
	const Redis = require('ioredis');
	const client = new Client({ connectionString: database });
	await client.connect();

	const clear = async () => {
		await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
		const connection = new Redis(redis);
		try {
			for await (const keys of connection.scanStream({ match: `${name}:*`, count: 1000 })) {
				if (keys.length > 0) await connection.del(...keys);
			}
		} finally {
			connection.disconnect();
		}
	};
	// What a run that was killed has left.
	await clear();
	await client.query(`CREATE SCHEMA "${name}"`);

	return {
		/** @returns {Promise<Array<{ id: string, status: string }>>} n8n's executions, in the order in which it accepted them */
		executions: async () => (await client.query(`SELECT CAST(id AS text) AS id, status FROM "${name}".execution_entity AS e ORDER BY e.id`)).rows,
		/** Takes everything of it out of the two. */
		close: async () => {
			await clear();
			await client.end();
		},
	};
}
