import {
  defaultFieldResolver,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLFieldResolver,
} from 'graphql';

const values: Readonly<Record<string, unknown>> = {
  Boolean: false,
  DateTime: '2026-01-01T00:00:00.000Z',
  Float: 0,
  ID: 'none',
  Int: 0,
  JSONObject: {},
  String: '',
  TimelessDate: '2026-01-01',
};

/** Returns a value for a required field that the world does not have, such as the color of a team. */
export const fillIn: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const found: unknown = defaultFieldResolver(source, args, context, info);
  const { returnType } = info;
  if (found !== undefined || !isNonNullType(returnType)) return found;
  if (isListType(returnType.ofType)) return [];
  const type = getNamedType(returnType);
  if (isEnumType(type)) return type.getValues()[0]?.value;
  return isScalarType(type) ? (values[type.name] ?? '') : {};
};
