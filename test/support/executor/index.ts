// What most tests that run the node, or the trigger, need.
export * from '../operations';
export * from '../recorder';
export * from '../time';
export * from '../until';
export * from './credentialStore';
export * from './execute';
export * from './httpRequestNode';
export * from './nodeTypes';
export * from './ownSandbox';
export * from './poll';
export * from './report';
export * from './startService';
export * from './toolOfAgent';
