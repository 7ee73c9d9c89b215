import { serveFake } from '@trove/test-support/fake-program.js';
import { startFakeAirtable } from './fake.js';
import { createCrm, dayMinutes, setAge, settingsFor } from './source.js';

const fake = await startFakeAirtable();
const { world, service } = fake;
const { base, contacts, deals } = createCrm(fake);

serveFake(
  service,
  { target: `airtable://${base.id}`, config: settingsFor(fake) },
  {
    /** 500 contacts and 500 deals that link to them. 50 deals have a comment. */
    fill() {
      setAge(fake, 2 * dayMinutes);
      for (let number = 1; number <= 500; number++) {
        const contact = world.createRow(contacts, {
          Name: `Person ${number}`,
          Notes: `Known for ${number} years.`,
        });
        const deal = world.createRow(deals, {
          Title: `Deal ${number}`,
          Status: 'Open',
          People: [contact.id],
        });
        if (number % 10 === 0) world.comment(deal, `A comment on deal ${number}.`);
      }
      // The next sync begins at the time of the service.
      setAge(fake, 0);
    },

    /** One contact gets another text. */
    change() {
      setAge(fake, 5);
      const [row] = world.rowsOf(contacts.id);
      if (row !== undefined) world.editRow(row, { Notes: 'Now known for something else.' });
      setAge(fake, 0);
    },
  },
);
