// One file for jest, so that one n8n and one browser serve them all: starting them takes longer than most scenarios.
import { inEditor } from '../support/browser/inEditor.mts';
import { examples } from './examples.mts';
import { importing } from './importing.mts';
import { agentTool, credential, nodesPanel, operations, trigger } from './nodes.mts';

const scenario = inEditor();

describe('The credential', () => credential(scenario));
describe('The nodes panel', () => nodesPanel(scenario));
describe('The node', () => operations(scenario));
describe('The trigger', () => trigger(scenario));
describe('The AI Agent', () => agentTool(scenario));
describe('An example', () => examples(scenario));
// Last, as n8n takes the credentials that it makes for other nodes too.
describe('Importing', () => importing(scenario));
