import {
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';

const scalarPoints = 0.1;
const objectPoints = 1;
/** What a connection counts for if the query does not say how many items it wants. */
const defaultFirst = 50;

export const maxComplexity = 10_000;

/** Returns the points that a query costs: those of an item times the number of items of its connection. */
export function complexityOf(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition);

  const ofSet = (set: SelectionSetNode | undefined, type: GraphQLNamedType): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + ofField(selection, type);
      const { selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : (fragments.get(selection.name.value) ?? { selectionSet: undefined });
      return sum + ofSet(selectionSet, type);
    }, 0);

  const ofField = (field: FieldNode, parent: GraphQLNamedType): number => {
    const described = isObjectType(parent) ? parent.getFields()[field.name.value] : undefined;
    if (described === undefined) return 0;
    const type = getNamedType(described.type);
    if (isLeafType(type)) return scalarPoints;
    const points = objectPoints + ofSet(field.selectionSet, type);
    return type.name.endsWith('Connection') ? points * firstOf(field, variables) : points;
  };

  return definitions.reduce((sum, definition) => {
    const root = schema.getQueryType();
    return definition.kind === Kind.OPERATION_DEFINITION && root
      ? sum + ofSet(definition.selectionSet, root)
      : sum;
  }, 0);
}

function firstOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  const value = field.arguments?.find(({ name }) => /^(first|last)$/.test(name.value))?.value;
  const given =
    value?.kind === Kind.VARIABLE
      ? variables[value.name.value]
      : value?.kind === Kind.INT
        ? value.value
        : undefined;
  return given === undefined || given === null ? defaultFirst : Number(given);
}
