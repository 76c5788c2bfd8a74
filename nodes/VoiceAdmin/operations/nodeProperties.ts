import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { type Operation, type Resource, toNodeProperty } from './operation';
import { optionsField, optionsOf } from './options';
import { noticeFields } from './noticeFields';
import { nodeRunner, toolCallRunner } from './runners';
import { toolDescriptionField } from './toolDescription';

/** The node's properties, derived from its operations. */
export function propertiesOf(resources: Resource[], defaultResource: string): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: defaultResource,
		},
		...resources.flatMap((resource) => [
			operationField(resource),
			...resource.operations.flatMap((operation) => operationProperties(resource, operation)),
		]),
	];
}

/** By resource and operation; n8n calls one with all items of a run. */
export function customOperationsOf(resources: Resource[]): NonNullable<INodeType['customOperations']> {
	const runners = ({ operations }: Resource) =>
		operations.map((operation) => [operation.option.value, nodeRunner(operation)]);
	return Object.fromEntries(resources.map((resource) => [resource.value, Object.fromEntries(runners(resource))]));
}

/**
 * The subtitle on the canvas: "Set Premium: VoIP DSS Trunk". n8n's own Custom API Call keeps its name, by which n8n knows it.
 * @returns an expression, which only the editor evaluates
 */
export function subtitleOf(resources: Resource[]): string {
	const names = resources.flatMap(({ value, name, operations }) =>
		operations.map(({ option }) => [`${value} ${option.value}`, `${option.name}: ${name}`]),
	);
	const [resource, operation] = ['$parameter["resource"]', '$parameter["operation"]'];
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[${resource} + " " + ${operation}] ?? ${operation} + ": " + ${resource} }}`;
}

function operationField({ value, operations, default: defaultValue }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(toOperationOption),
		default: defaultValue,
	};
}

/**
 * n8n's engine runs the node's `customOperations` and ignores `routing`, which `buildRequests` reads. For tool calls outside the engine,
 * n8n's routing executor builds a request from `routing` and passes it to the pagination hook, which sends its own instead.
 */
function toOperationOption(operation: Operation): INodePropertyOptions {
	return {
		...operation.option,
		routing: {
			...operation.option.routing,
			send: { paginate: true },
			operations: { pagination: toolCallRunner(operation) },
		},
	};
}

function operationProperties(resource: Resource, operation: Operation): INodeProperties[] {
	const fields = [
		toolDescriptionField(operation),
		...noticeFields(operation),
		...operation.fields,
		optionsField(optionsOf(operation)),
	];
	return fields.map((field) => ({
		...toNodeProperty(field),
		displayOptions: {
			show: { resource: [resource.value], operation: [operation.option.value], ...field.displayOptions?.show },
		},
	}));
}
