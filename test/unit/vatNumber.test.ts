import { checkItalianVatNumber } from '../../nodes/VoiceAdmin/parameters/vatNumber';

const check = (vatNumber: string) => () => checkItalianVatNumber('VAT Number', vatNumber);

describe('the check digit of an Italian VAT number', () => {
	test.each(['12345678903', 'IT12345678903', 'it00743110157', '00488410010'])('accepts %s', (vatNumber) => {
		expect(check(vatNumber)).not.toThrow();
	});

	test.each(['12345678901', 'IT12345678904', '21345678903'])('refuses %s', (vatNumber) => {
		expect(check(vatNumber)).toThrow('Its check digit is wrong');
	});

	test.each(['DE123456789', 'IT1234567890', '123456789012', 'anything'])(
		'passes %s, which is not of the Italian form',
		(vatNumber) => {
			expect(check(vatNumber)).not.toThrow();
		},
	);
});
