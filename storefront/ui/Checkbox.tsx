import { type ComponentProps, type ReactNode, useId } from 'react'
import { styled } from 'styled-components'
import { color, control, size, space } from '../theme/tokens.ts'

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: ${space[2]};
  min-height: ${control.md};
  input {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: ${color.accent};
    cursor: pointer;
  }
  label {
    font-size: ${size.md};
    cursor: pointer;
  }
`

export function Checkbox({ label, id, ...input }: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const made = useId()
  return (
    <Row>
      <input {...input} type="checkbox" id={id ?? made} />
      <label htmlFor={id ?? made}>{label}</label>
    </Row>
  )
}
