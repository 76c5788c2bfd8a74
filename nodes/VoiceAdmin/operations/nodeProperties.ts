import type { INodeProperties } from 'n8n-workflow';

import { type Operation, type Resource, toNodeProperty } from './operation';
import { optionsField, optionsOf } from './options';
import { noticeFields } from './noticeFields';
import { toolDescriptionField } from './toolDescription';

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
		options: operations.map(({ option }) => option),
		default: defaultValue,
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
