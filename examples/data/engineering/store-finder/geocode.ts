const KEY = 'AIzaSyFAKE-seine_CmnQcUtLPodUw53JZ0YqUD';

export interface Place {
  lat: number;
  lng: number;
}

export async function geocode(address: string): Promise<Place> {
  const query = new URLSearchParams({ address, key: KEY });
  const response = await fetch(`https://maps.example.com/geocode?${query}`);
  if (!response.ok) throw new Error('The map is wet.');
  return (await response.json()) as Place;
}
