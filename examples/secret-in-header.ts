// Calls an API with a token that the host granted. The token goes into a header and nowhere else.

import { environment, fetchText, secret } from 'fino:ai/sandbox/capabilities';

interface Account {
  name: string;
  plan: string;
}

export default async function account(id: number): Promise<Account> {
  const [base, token] = await Promise.all([environment('API'), secret('API_TOKEN')]);
  const response = await fetchText(new URL(`/accounts/${id}`, base), {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  if (response.status === 401) throw new Error('the API refused the token');
  if (response.status !== 200) throw new Error(`the API answered ${response.status}`);
  const { name, plan } = JSON.parse(response.body) as Account;
  console.log(`account ${id} is on the plan ${plan}`);
  return { name, plan };
}
