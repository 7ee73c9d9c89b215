import {
  commentForm,
  documentForm,
  issueForm,
  labelForm,
  person,
  projectForm,
  updateForm,
  type Form,
} from './forms.js';
import { connection, type PageArguments } from './paging.js';
import { fieldError } from './problems.js';
import type { LinearWorld } from './world.js';

interface ById {
  readonly id: string;
}

/** The fields of `Query`. */
export function rootOf(world: LinearWorld): Form {
  const { issues, comments, projects, updates, documents, labels } = world;
  const issue = (item: Parameters<typeof issueForm>[1]): Form => ({
    ...issueForm(world, item),
    comments: (args: PageArguments) =>
      connection(
        [...comments.values()]
          .filter((each) => each.issue === item.id)
          .map((each) => commentForm(world, each)),
        args,
      ),
  });
  return {
    viewer: person('ann'),
    organization: { id: 'organization-1', name: 'Acme', urlKey: world.urlKey },
    ...fieldsOf('issue', 'issues', issues, issue),
    ...fieldsOf('comment', 'comments', comments, (item) => commentForm(world, item)),
    ...fieldsOf('project', 'projects', projects, projectForm),
    ...fieldsOf('projectUpdate', 'projectUpdates', updates, (item) => updateForm(world, item)),
    ...fieldsOf('document', 'documents', documents, (item) => documentForm(world, item)),
    issueLabels: (args: PageArguments) =>
      connection(
        [...labels].map(([id, name]) => labelForm(id, name)),
        args,
      ),
  };
}

/** The fields for one item by its id, and for a list of items. */
function fieldsOf<T>(
  one: string,
  all: string,
  items: ReadonlyMap<string, T>,
  form: (item: T) => Form,
): Form {
  return {
    [one]: ({ id }: ById) => {
      const found = items.get(id);
      if (found === undefined)
        throw fieldError(
          'INPUT_ERROR',
          `Entity not found: ${one} - Could not find referenced item.`,
        );
      return form(found);
    },
    [all]: (args: PageArguments) => connection([...items.values()].map(form), args),
  };
}
