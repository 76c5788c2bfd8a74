import type { INodeProperties } from 'n8n-workflow';

import { noticeFields } from './noticeFields';
import type { Field, Operation, Resource } from './operation';
import { optionsOf } from './options';
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
		...resources.flatMap(({ value, operations, default: defaultOperation }): INodeProperties[] => [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [value] } },
				options: operations.map(({ option }) => option),
				default: defaultOperation,
			},
			...operations.flatMap((operation) => operationProperties(value, operation)),
		]),
	];
}

/** An expression for the subtitle on the canvas: "Set Premium: VoIP DSS Trunk". n8n knows its Custom API Call by its name: that stays. */
export function subtitleOf(resources: Resource[]): string {
	const names = resources.flatMap(({ value, name, operations }) =>
		operations.map(({ option }) => [`${value} ${option.value}`, `${option.name}: ${name}`]),
	);
	const [resource, operation] = ['$parameter["resource"]', '$parameter["operation"]'];
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[${resource} + " " + ${operation}] ?? ${operation} + ": " + ${resource} }}`;
}

function operationProperties(resource: string, operation: Operation): INodeProperties[] {
	const chosen = { resource: [resource], operation: [operation.option.value] };
	const properties = [
		toolDescriptionField(operation),
		...noticeFields(operation),
		...fieldProperties(operation),
		optionsProperty(optionsOf(operation)),
	];
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { ...chosen, ...property.displayOptions?.show } },
	}));
}

/** The fields of an operation, as n8n knows them. */
export function fieldProperties({ fields, additionalFields }: Operation): INodeProperties[] {
	const properties = fields.map(toNodeProperty);
	if (!additionalFields) return properties;
	return [...properties, collection('Additional Fields', 'additionalFields', 'Add Field', additionalFields)];
}

export const optionsProperty = (options: Field[]) => collection('Options', 'options', 'Add Option', options);

function collection(displayName: string, name: string, placeholder: string, fields: Field[]): INodeProperties {
	return { displayName, name, type: 'collection', placeholder, default: {}, options: fields.map(toNodeProperty) };
}

function toNodeProperty({ parse, fanOut, spread, whenAbsent, ...property }: Field): INodeProperties {
	return property;
}
