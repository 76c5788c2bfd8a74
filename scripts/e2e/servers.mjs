export function requireServers() {}
