import { checkItalianVatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber/vatNumber';

const check = (vatNumber: string) => () => checkItalianVatNumber('VAT Number', vatNumber);

describe('an Italian VAT number', () => {
	test.each(['12345678903', 'IT12345678903', 'it00743110157', '00488410010'])('has the right check digit: %s', (vatNumber) => {
		expect(check(vatNumber)).not.toThrow();
	});

	test.each(['12345678901', 'IT12345678904', '21345678903'])('has a wrong check digit: %s', (vatNumber) => {
		const message = `'VAT Number' is not valid: "${vatNumber}". The check digit of this Italian VAT number is wrong. Look for a mistyped digit, or turn off 'Validate VAT Number'`;
		expect(check(vatNumber)).toThrow(new Error(message));
	});

	test.each(['IT123', 'it1234567890', 'IT123456789012', 'IT 123 45 67 8903', 'IT'])('has not 11 digits after IT: %s', (vatNumber) => {
		const message = `'VAT Number' is not valid: "${vatNumber}". An Italian VAT number has 11 digits after IT. Look for a mistyped digit, or turn off 'Validate VAT Number'`;
		expect(check(vatNumber)).toThrow(new Error(message));
	});

	test.each(['DE123456789', '1234567890', '123456789012', 'anything'])(
		'is not looked for in %s, which may be foreign',
		(vatNumber) => {
			expect(check(vatNumber)).not.toThrow();
		},
	);
});
