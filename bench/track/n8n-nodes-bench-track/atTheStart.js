'use strict';

/** What the process had used when it left the starting line; the finish line reads it. */
module.exports = { cpu: { user: 0, system: 0 }, profiler: undefined };
